import type { JsonObject } from '../../protocol/json/json.ts'
import { listIn, reservation, said, textIn, when } from '../text.ts'
import type { Turn } from '../tool.ts'

export type RepoNames = (repoId: unknown) => string

export async function overviewOf(projectId: string, { call }: Pick<Turn, 'call'>): Promise<JsonObject> {
  const answer = await call('cacp/project/overview', { projectId })
  return listIn(answer, 'projects')[0] ?? {}
}

export function reposOf(overview: JsonObject): RepoNames {
  const names = new Map(listIn(overview, 'repos').map((repo) => [repo['repoId'], said(repo['name'])]))
  return (repoId) => names.get(repoId as string) ?? `repo ${String(repoId)}`
}

export function overviewText(one: JsonObject): string {
  const repos = listIn(one, 'repos').map((repo) => said(repo['name'], 60))
  const status = one['status'] === undefined ? '' : ` ${textIn(one, 'status')},`
  const archived = one['archived'] === true ? ' archived,' : ''
  return `project ${textIn(one, 'projectId')} ${said(one['name'])}${archived}${status} ${one['contractCount']} contracts, ${one['packetCount']} packets, repos ${repos.join(' ')}`
}

/** One packet on one line; its content is JSON, which cannot leave the line. */
export function packetText(packet: JsonObject, repos: RepoNames, most: number): string {
  const reply = packet['reply_to'] === null ? '' : ` in reply to ${textIn(packet, 'reply_to')}`
  const head = `${textIn(packet, 'type')} ${textIn(packet, 'packet_id')} of ${repos(packet['from_repo'])}${reservation(packet)} at ${when(packet['timestamp'])}${reply}`
  return `${head}${remarkText(packet)}: ${said(JSON.stringify(packet['content']), most)}`
}

function remarkText({ not_among_options, contradicted_by, replaced_by }: JsonObject): string {
  return [
    not_among_options === true ? ', NOT AMONG THE OPTIONS of the question' : '',
    typeof replaced_by === 'string' ? `, REPLACED BY ${replaced_by}` : '',
    Array.isArray(contradicted_by) ? `, CONTRADICTORY DECISIONS: ${contradicted_by.join(' ')}` : '',
  ].join('')
}
