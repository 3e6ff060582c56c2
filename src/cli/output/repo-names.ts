import type { Client } from '../../client.ts'
import { METHODS } from '../../methods/table.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { namedFieldsOf } from '../../protocol/named.ts'
import { isUuid } from '../../protocol/text/uuid.ts'
import type { Params } from '../derive/method-form.ts'

type Names = ReadonlyMap<string, string>

/** The names of the repos that an answer speaks of: from itself or, where it has only their ids, from their project. */
export async function repoNamesFor(
  client: Client,
  method: string,
  params: Params,
  result: unknown,
): Promise<Names> {
  const carried = namesIn(result)
  if (!idsIn(result).some((id) => !carried.has(id))) return carried
  const row = METHODS.find(({ name }) => name === method)
  const project = row && namedFieldsOf(row.params).project
  if (project?.isNeeded !== true) return carried
  // Without them the answer is as right as before, only harder to read.
  return reposOf(client, params[project.key] as string | undefined).catch(() => carried)
}

async function reposOf(client: Client, projectId: string | undefined): Promise<Names> {
  const params = projectId === undefined ? {} : { projectId }
  const { repos } = await client.call('cacp/project/get', { ...params, parts: ['repos'] })
  return new Map(repos.map(({ repo_id, name }) => [repo_id, name]))
}

function namesIn(result: unknown): Names {
  const repos = isJsonObject(result) && Array.isArray(result['repos']) ? result['repos'] : []
  return new Map(
    repos
      .filter(isJsonObject)
      .flatMap(({ repo_id, name }): [string, string][] =>
        typeof repo_id === 'string' && typeof name === 'string' ? [[repo_id, name]] : [],
      ),
  )
}

const REFERENCES =
  'proposed_by proposedBy from_repo requestedBy parties objections unanswered waitingFor'.split(' ')
const OF_ROWS = [...REFERENCES, 'repo_id', 'repoId']

/** The ids of repos in an answer and in the rows of its lists. Its own is no reference. */
function idsIn(result: unknown): string[] {
  if (!isJsonObject(result)) return []
  const rows = Object.values(result).flatMap((value) =>
    Array.isArray(value) ? value.filter(isJsonObject) : [],
  )
  const under = (object: JsonObject, keys: readonly string[]) => keys.flatMap((key) => [object[key]].flat())
  return [...under(result, REFERENCES), ...rows.flatMap((row) => under(row, OF_ROWS))].filter(
    (one): one is string => typeof one === 'string' && isUuid(one),
  )
}
