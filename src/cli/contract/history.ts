import { oneLine } from '../../domain/names/quoted.ts'
import type { ResultOf } from '../../methods/table.ts'
import { methodCommand } from '../derive/method-commands.ts'
import { paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'
import { type Screen, timeOn } from '../output/screen.ts'

type Contract = ResultOf<'cacp/contract/get'>

export const history = methodCommand('cacp/contract/get', {
  about: 'Show all versions of a contract, oldest first, with who said what about each.',
  only: ['projectId', 'contractId'],
  examples: ["cacpd contract history 'Get User Profile'"],
  adjust: (params) => ({ ...params, includeHistory: true }),
  show: (contract, screen, { known: repos }) =>
    describeHistory(contract, (id) => repos.get(id) ?? id, screen),
})

function describeHistory(contract: Contract, repo: (id: string) => string, terminal: Screen): string {
  const { history = [], head, version, proposed_by, responses, verifications, inForce, earlier } = contract
  const versions = [...history, { ...head, version, proposed_by }]
  const lines = versions.flatMap((one) => {
    const standing =
      inForce?.revision === one.revision
        ? 'in force'
        : one.agreed
          ? 'agreed'
          : one.revision === head.revision && contract.withdrawn !== true
            ? 'proposed'
            : 'not agreed'
    const note = one.change_notes === '' ? '' : `: ${one.change_notes}`
    const answers = responses.filter(({ revision }) => revision === one.revision)
    const judged = verifications.filter(({ revision }) => revision === one.revision)
    const before = versions.find(({ revision }) => revision === one.parent)
    const parties = before === undefined ? '' : partiesText(before.parties, one.parties, repo)
    return [
      `${paint('bold', `version ${one.version}`, terminal)} ${printable(oneLine(`by ${whose(one.by)}${repo(one.proposed_by)}, ${timeOn(terminal, one.timestamp)}, ${standing}${one.retire === true ? ', its end' : ''}${note}${parties}`))}`,
      ...answers.map(
        ({ repo_id, action, accepts = [], comment, by }) =>
          `  ${printable(oneLine(`${whose(by)}${repo(repo_id)}: ${action}${acceptsText(accepts)}${comment === '' ? '' : `: ${comment}`}`))}`,
      ),
      ...judged.map((each) => `  ${printable(oneLine(verificationText(each, repo)))}`),
    ]
  })
  const cut = earlier === undefined ? [] : [`and ${earlier.count} earlier words; --json has where to go on`]
  return [...lines, ...cut].join('\n')
}

/** What a person said is told apart from what the agent of the repository says. */
const whose = ({ by_person }: Contract['head']['by']): string => (by_person === true ? 'a person at ' : '')

/** What the repo took on itself with its agreement. */
function acceptsText(accepts: readonly string[]): string {
  if (accepts.length === 0) return ''
  return `, accepts ${accepts.length === 1 ? 'a change that breaks it' : `${accepts.length} changes that break it`} (${accepts.join(', ')})`
}

function partiesText(before: readonly string[], after: readonly string[], repo: (id: string) => string) {
  const added = after.flatMap((id) => (before.includes(id) ? [] : [`+${repo(id)}`]))
  const removed = before.flatMap((id) => (after.includes(id) ? [] : [`-${repo(id)}`]))
  const changed = [...added.sort(), ...removed.sort()]
  return changed.length === 0 ? '' : `; parties: ${changed.join(' ')}`
}

function verificationText(
  { repo_id, result, blames = [], notes, by }: Contract['verifications'][number],
  repo: (id: string) => string,
): string {
  const blamed = blames.length === 0 ? '' : `, blames ${blames.map(repo).sort().join(', ')}`
  return `${whose(by)}${repo(repo_id)}: verification: ${result}${blamed}${notes === '' ? '' : `: ${notes}`}`
}
