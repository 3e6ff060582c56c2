import { oneLine, shortened } from '../../domain/names/quoted.ts'
import type { ParamsOf, ResultOf } from '../../methods/table.ts'
import { methodCommand } from '../derive/method-commands.ts'
import { methodForm } from '../derive/method-form.ts'
import { printable, printableLine } from '../output/printable.ts'
import { quoted } from '../output/shell-word.ts'
import { CommandError, UsageError } from '../program/report.ts'

type Contract = ResultOf<'cacp/contract/get'>

export const accept = methodCommand(
  methodForm('cacp/contract/update', {
    about: 'Make a change that another repository suggested the next version.',
    only: ['projectId', 'contractId', 'changeNote'],
    options: {
      '--suggestion <number>': 'which one, as `cacpd contract get` numbers them (default: the only one)',
    },
    examples: ["cacpd contract accept 'Get User Profile' --suggestion 2"],
    // Which one that is, only the contract tells.
    adjust: (params, { suggestion = 'only' }) => ({ ...params, acceptSuggestion: suggestion }),
    ask: async (client, params: ParamsOf<'cacp/contract/update'>, { given }) => {
      const { projectId, contractId } = params
      const contract = await client.call('cacp/contract/get', { projectId, contractId })
      const { response_id: acceptSuggestion } = chosen(contract, given.suggestion)
      const { idempotencyKey } = given
      const { version } = contract
      return client.call('cacp/contract/update', { ...params, acceptSuggestion, version }, { idempotencyKey })
    },
  }),
)

function chosen({ name, suggestions = [], responses }: Contract, number: string | undefined) {
  const open = suggestions.filter(({ acceptable }) => acceptable)
  const said = new Map(responses.map((one) => [one.response_id, one.suggested_change]))
  const listed = suggestions.map(
    (one) =>
      `${one.number}: ${one.repo} ${one.comment || 'without a comment'}: ${shortened(JSON.stringify(said.get(one.response_id)) ?? '', SUGGESTION_LENGTH)}${one.acceptable ? '' : ' (in words: write the content yourself)'}`,
  )
  const all = printable(oneLine(listed.join('; ')))
  const called = quoted(printableLine(name))
  const write = `Write the next version yourself: cacpd contract update --contract-id ${called} --content JSON`
  if (suggestions.length === 0)
    throw new CommandError(`Nobody suggests a change of ${printableLine(name)} that was not met`, {
      kind: 'conflict',
      next: `See who said what with cacpd contract history ${called}`,
    })
  const found = number === undefined ? open : open.filter((one) => String(one.number) === number)
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  if (open.length === 0)
    throw new CommandError(`No suggestion can be accepted as it is: ${all}`, {
      kind: 'conflict',
      next: write,
    })
  throw number === undefined
    ? new UsageError(
        `Choose one with --suggestion: ${all}`,
        `cacpd contract accept ${called} --suggestion NUMBER`,
      )
    : new UsageError(
        `--suggestion: there is no ${printableLine(number)} that can be accepted. Open are ${all}`,
      )
}

/** Characters of a suggestion that are listed, enough to tell it from the others. */
const SUGGESTION_LENGTH = 120
