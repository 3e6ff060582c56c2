import type { ResultOf } from '../../methods/table.ts'
import { methodCommand } from '../derive/method-commands.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { type Screen, timeOn } from '../output/screen.ts'
import { shortIds } from '../output/short-ids.ts'

export const search = methodCommand('cacp/search', {
  words: [{ form: '<words...>', about: 'words to look for; typing errors do not matter', param: 'query' }],
  examples: ['cacpd search user profile', 'cacpd search token expiry --kind response --limit 5'],
  adjust: ({ query, ...params }) => ({ ...params, query: [query].flat().join(' ') }),
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
