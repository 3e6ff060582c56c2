import type { Client } from '../../client.ts'
import { itemCalled } from '../../domain/names/only-one.ts'
import { METHODS } from '../../methods/table.ts'
import { type NamedKind, namedFieldsOf } from '../../protocol/named.ts'
import { isUuid } from '../../protocol/text/uuid.ts'
import { idMeant } from '../output/short-ids.ts'
import type { Params } from './method-form.ts'

/**
 * The same params with whole ids in place of beginnings of ids. A daemon takes those only to show something, so that
 * nothing is changed before it was found out, here, what is meant.
 */
export async function withWholeIds(client: Client, method: string, params: Params): Promise<Params> {
  const row = METHODS.find(({ name }) => name === method)
  if (row === undefined || row.access === 'read') return params
  for (const key of ['itemId', 'runId', 'workId'] as const) {
    const word = params[key]
    if (typeof word === 'string') return { ...params, [key]: await wholeIdOf(key, word, client) }
  }
  const { project, words } = namedFieldsOf(row.params)
  const given = (kind: NamedKind) =>
    words.filter((one) => one.kind === kind).flatMap(({ key }) => wordsIn(params[key]))
  const [contracts, packets, repos] = [given('contract'), given('packet'), given('repo')]
  const projects = project === undefined ? [] : wordsIn(params[project.key])
  if (![...projects, ...contracts, ...packets, ...repos].some(mayBeShort)) return params
  const [projectId] = projects
  const found = await client
    .call('cacp/lookup', { projectId, contracts, packets, repos })
    .catch((error: unknown) => {
      // The word may be a whole id of another form, which the daemon finds in all projects by itself.
      if (project === undefined) return undefined
      throw error
    })
  if (found === undefined) return params
  const meant = new Map([
    ...contracts.map((word, index) => [word, found.contractIds[index]] as const),
    ...packets.map((word, index) => [word, found.packetIds[index]] as const),
    ...repos.map((word, index) => [word, found.repoNames[index]] as const),
  ])
  const whole = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(whole) : (meant.get(String(value)) ?? value)
  const named = words.filter(({ key }) => params[key] !== undefined)
  return {
    ...params,
    ...Object.fromEntries(named.map(({ key }) => [key, whole(params[key])])),
    ...(project === undefined ? {} : { [project.key]: found.projectId }),
  }
}

/** As many as the daemon lists in one call. */
const MOST_LISTED = 1000

/** What is no part of a project is looked for in the list of all. */
export async function wholeIdOf(key: 'itemId' | 'runId' | 'workId', word: string, client: Client) {
  if (key === 'itemId') {
    const { items } = await client.call('cacp/inbox/list', { limit: 200, includeAcked: true })
    return itemCalled(items, word, { mayShorten: true })?.id ?? word
  }
  return idMeant(word, async () => {
    if (key === 'runId')
      return (await client.call('cacp/run/list', { limit: MOST_LISTED })).runs.map(({ run_id }) => run_id)
    return (await client.call('cacp/work/list', { limit: MOST_LISTED })).works.map(({ workId }) => workId)
  })
}

const wordsIn = (value: unknown): string[] =>
  [value].flat().filter((word): word is string => typeof word === 'string')

/** What can be the beginning of an id. Names that look alike are looked up in vain, and taken as they are. */
const mayBeShort = (word: string): boolean => /^[\w.:-]{6,35}$/.test(word) && !isUuid(word)
