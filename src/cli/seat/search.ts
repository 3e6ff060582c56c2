import type { ResultOf } from '../../methods/table.ts'
import { calling } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { numberGiven } from '../form/number-given.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { type Screen, timeOn } from '../output/screen.ts'
import { shortIds } from '../output/short-ids.ts'

export const search = command({
  about: 'find contracts, context and responses by their words',
  words: { '<words...>': 'words to look for; typing errors do not matter' },
  options: {
    '--project <project>': 'ID or name: only in this project',
    '--kind <kind>': { about: 'only things of this kind', choices: ['contract', 'context', 'response'] },
    '--limit <number>': 'how many to show at most, up to 100 (default: 20)',
  },
  examples: ['cacpd search user profile', 'cacpd search token expiry --kind response --limit 5'],
  ask: ({ words, project, kind, limit: most }) => {
    const limit = numberGiven(most, /^[1-9]\d{0,2}$/, '--limit: must be a whole number from 1 to 100')
    return calling('cacp/search', { query: words.join(' '), project, kind, limit })
  },
  show: ({ hits }, screen) => {
    const short = shortIds(hits.flatMap(({ id, contractId = '' }) => [id, contractId]))
    return hits.length === 0 ? 'none' : hits.map((hit) => describe(hit, short, screen)).join('\n')
  },
  footnote: ({ hits, total }, terminal) =>
    total > hits.length
      ? paint('dim', `the best ${hits.length} of ${total}; --limit shows more`, terminal)
      : undefined,
})

function describe(
  { kind, name, id, contractId, projectName, snippet, at }: ResultOf<'cacp/search'>['hits'][number],
  short: (id: string) => string,
  screen: Screen,
): string {
  const contract = contractId === undefined ? '' : ` to contract ${short(contractId)}`
  return [
    `${kind} ${paint('bold', printableLine(name), screen)} ${short(id)}`,
    `  ${paint('dim', `in ${printableLine(projectName)}${contract}, ${timeOn(screen, at)}`, screen)}`,
    ...(snippet === '' ? [] : [`  ${printableLine(snippet)}`]),
  ].join('\n')
}
