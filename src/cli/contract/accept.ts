import { oneLine, shortened } from '../../domain/names/quoted.ts'
import type { ResultOf } from '../../methods/table.ts'
import { command } from '../form/command.ts'
import { IDEMPOTENCY_KEY, OF_CONTRACT } from '../form/options.ts'
import { printable, printableLine } from '../output/printable.ts'
import { quoted } from '../output/shell-word.ts'
import { CommandError, UsageError } from '../program/report.ts'

type Contract = ResultOf<'cacp/contract/get'>

export const accept = command({
  about: 'Make a change that another repository suggested the next version.',
  words: { '<contract>': 'its ID or name' },
  options: {
    ...OF_CONTRACT,
    '--suggestion <number>': 'which one, as `cacpd contract get` numbers them (default: the only one)',
    '--change-note <text>': 'what changed, and why',
    ...IDEMPOTENCY_KEY,
  },
  examples: ["cacpd contract accept 'Get User Profile' --suggestion 2"],
  ask:
    ({ contract: word, projectId, suggestion, changeNote, idempotencyKey }) =>
    async (client) => {
      const found = await client.call('cacp/lookup', { projectId, contracts: [word] })
      const target = { projectId: found.projectId, contractId: found.contractIds[0] ?? word }
      const contract = await client.call('cacp/contract/get', target)
      const { response_id: acceptSuggestion } = chosen(contract, suggestion)
      const { version } = contract
      const params = { ...target, acceptSuggestion, version, ...(changeNote && { changeNote }) }
      return client.call('cacp/contract/update', params, { idempotencyKey })
    },
})

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
    throw new CommandError(
      `Nobody suggests a change of ${printableLine(name)} that was not met`,
      'conflict',
      `See who said what with cacpd contract history ${called}`,
    )
  const found = number === undefined ? open : open.filter((one) => String(one.number) === number)
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  if (open.length === 0)
    throw new CommandError(`No suggestion can be accepted as it is: ${all}`, 'conflict', write)
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
