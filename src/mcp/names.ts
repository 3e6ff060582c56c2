import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import { isUuid } from '../protocol/uuid.ts'
import { textIn } from './text.ts'
import type { Turn } from './tool.ts'

/**
 * The same arguments with ids, where an agent wrote the name of a project or contract; a repo goes by its name. What is an
 * id of ours already is left alone, so that only whoever writes names has them looked up.
 */
export async function withIds<Input extends JsonObject>(input: Input, turn: Turn): Promise<Input> {
  const { until } = input
  const own = await placeWithIds(input, turn)
  return isJsonObject(until) ? { ...own, until: await goalsWithIds(until, turn) } : own
}

/** Of what is waited for, each goal names its own project. */
async function goalsWithIds(until: JsonObject, turn: Turn): Promise<JsonObject> {
  const named: Record<string, Json | undefined> = {}
  for (const [kind, goal] of Object.entries(until)) {
    if (Array.isArray(goal))
      named[kind] = await Promise.all(goal.map((one) => (isJsonObject(one) ? goalsWithIds(one, turn) : one)))
    else named[kind] = isJsonObject(goal) ? await placeWithIds(goal, turn) : goal
  }
  return named
}

async function placeWithIds<Place extends JsonObject>(place: Place, { call, signal }: Turn): Promise<Place> {
  const { projectId, contractId, relatedContracts, repoName, parties } = place
  if (typeof projectId !== 'string') return place
  const contracts = [contractId, ...listOf(relatedContracts)].filter(isText)
  const repos = [repoName, ...listOf(parties)].filter(isText)
  if ([projectId, ...contracts].every(isUuid) && !repos.some(isUuid)) return place
  const words = { projectId, contracts, repos: repos.filter(isUuid) }
  const answer = await call('cacp/lookup', words, { signal })
  const idOf = naming(contracts, answer['contractIds'])
  const nameOf = naming(words.repos, answer['repoNames'])
  return {
    ...place,
    projectId: textIn(answer, 'projectId') || projectId,
    ...(isText(contractId) ? { contractId: idOf(contractId) } : {}),
    ...(Array.isArray(relatedContracts) ? { relatedContracts: relatedContracts.map(idOf) } : {}),
    ...(isText(repoName) ? { repoName: nameOf(repoName) } : {}),
    ...(Array.isArray(parties) ? { parties: parties.map(nameOf) } : {}),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** What was found for each word. */
function naming(words: readonly string[], found: Json | undefined): (word: Json) => Json {
  const names = new Map(words.map((word, index) => [word, listOf(found)[index]]))
  return (word) => (isText(word) ? (names.get(word) ?? word) : word)
}
