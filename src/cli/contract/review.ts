import { MOST_WORK_OF_COMMAND } from '../../domain/interface/budget.ts'
import { TOLERANCES } from '../../domain/interface/model.ts'
import { Fault } from '../../protocol/fault.ts'
import { ContractType } from '../../protocol/words.ts'
import { command } from '../form/command.ts'
import type { Given } from '../form/given.ts'
import { numberGiven, OF_CONTRACT } from '../form/options.ts'
import { withDaemon } from '../form/with-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import { exitWith, UsageError } from '../program/report.ts'
import { describeReview, githubReview, markdownReview, type Review } from './describe-review.ts'
import { CONTENT_FORMS, readContent } from './read-content.ts'

const FORMATS = ['text', 'json', 'markdown', 'github'] as const

const WORDS = { '[contract]': 'its ID or name (instead of --contract-id)' } as const
const OPTIONS = {
  '--contract-id <text>': 'ID or name: its newest version is judged against the one in force',
  ...OF_CONTRACT,
  '--content <file>': `instead of the newest version, what an update would propose (${CONTENT_FORMS})`,
  '--from <version>': 'compare with this version (default: the one in force)',
  '--to <version>': 'judge this version (default: the newest)',
  '--before <file>': `the old content, of no contract and without a daemon (${CONTENT_FORMS})`,
  '--after <file>': 'the new content beside it',
  '--type <type>': {
    about: 'what the two files are, where they do not say it (default: custom)',
    choices: ContractType.options,
  },
  '--uses <place...>':
    'places of the two files that consumers use, such as response.200.body.id (default: all)',
  '--tolerates <what...>': { about: 'what does not hurt them in the two files', choices: TOLERANCES },
  '--format <format>': { about: 'how it is printed (default: text)', choices: FORMATS },
} as const

type Options = Given<typeof WORDS, typeof OPTIONS>

export const review = command({
  about:
    'Say whether a change of a contract, or of any two contents, breaks consumers. Exits with 0 if not, with 1 if so, and with 3 if that is not known.',
  words: WORDS,
  options: OPTIONS,
  examples: ['cacpd contract review --before main.yaml --after branch.yaml --format github'],
  result: (given, terminal) => {
    const { contractId, contract = contractId, before, after } = given
    const isPair = before !== undefined || after !== undefined
    if (isPair === (contract !== undefined)) throw new UsageError(ONE_FORM, HELP)
    if ((contractId ?? contract) !== contract) throw new UsageError('Name one contract, not two')
    return isPair ? ofFiles(given, terminal) : ofContract({ ...given, contract }, terminal)
  },
  show: (told, screen, { given: { format, after } }) => {
    if (format === 'markdown') return markdownReview(told)
    return format === 'github' ? githubReview(told, after) : describeReview(told, screen)
  },
  failure: ({ verdict }) => exitWith(verdict === undefined ? 0 : EXIT_CODES[verdict]),
})

const ONE_FORM = 'Name the contract, or two files with --before and --after'
const HELP = 'See cacpd contract review --help'
const EXIT_CODES = { compatible: 0, breaking: 1, unknown: 3 } as const

/** Nothing of it needs a daemon. */
async function ofFiles(given: Options, terminal: Terminal): Promise<Review> {
  const { before, after, type = 'custom', content, from, to, uses, tolerates } = given
  if (before === undefined || after === undefined) throw new UsageError(ONE_FORM, HELP)
  if ([content, from, to].some((option) => option !== undefined))
    throw new UsageError('--content, --from and --to go with a contract, not with --before and --after', HELP)
  if (before === '-' && after === '-') throw new UsageError('Only one of the two can come from stdin', HELP)
  const old = await readContent(before, '--before', terminal)
  const { reviewContents } = await import('../../domain/contract/review.ts')
  const now = await readContent(after, '--after', terminal)
  const tolerated = TOLERANCES.filter((one) => tolerates?.includes(one))
  try {
    return reviewContents(type, old, now, { uses, tolerates: tolerated, most: MOST_WORK_OF_COMMAND })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    // Exit code 1 is for what breaks.
    throw new UsageError(error.message.replace(/^uses(?:\.\d+)?:/, '--uses:'), error.next)
  }
}

async function ofContract(given: Options, terminal: Terminal): Promise<Review> {
  const { contract = '', projectId, content, type } = given
  if ([type, given.uses, given.tolerates].some((option) => option !== undefined))
    throw new UsageError('--type, --uses and --tolerates go with --before and --after', HELP)
  if (content !== undefined && given.to !== undefined)
    throw new UsageError('--content and --to: one of them is judged, not both', HELP)
  const versions = { from: versionIn('--from', given.from), to: versionIn('--to', given.to) }
  const next = content === undefined ? undefined : await readContent(content, '--content', terminal)
  const asked = { projectId, contractId: contract, ...versions, content: next }
  return withDaemon(given, terminal, (client) => client.call('cacp/contract/review', asked))
}

const versionIn = (option: string, given: string | undefined): number | undefined =>
  numberGiven(given, /^[1-9]\d{0,8}$/, `${option}: must be the number of a version`)
