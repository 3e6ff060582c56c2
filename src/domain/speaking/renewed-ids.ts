import type { Json, JsonObject } from '../../protocol/json/json.ts'
import type { LocalChange } from '../change.ts'
import { namingId } from '../files/shared-file.ts'
import type { Invitation } from '../model.ts'
import type { View } from '../view.ts'

/**
 * Local records that refer to statements or entities by id, rewritten for their new ids: invitations, files that may
 * not be handed on, and stored answers for repeated calls. Tokens stay as they are, because their project id is
 * signed; acknowledged inbox items are shown once more.
 */
export function localWithIds(
  view: View,
  project_id: string,
  ids: ReadonlyMap<string, string>,
): LocalChange[] {
  if (ids.size === 0) return []
  return [
    ...invites(view, ids),
    ...invitations(view, ids),
    ...namings(view, project_id, ids),
    ...answers(view, ids),
  ]
}

function* answers(view: View, ids: ReadonlyMap<string, string>): Iterable<LocalChange> {
  for (const answer of [...view.answers()]) {
    const result = renewed(answer.result, ids)
    if (result !== answer.result)
      yield { table: 'answer', id: answer.key, value: { ...answer, result: result as JsonObject } }
  }
}

/** The value with new ids; the same object if it contains none. */
function renewed(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  const before = Object.entries(value).map(([name, one = null]) => [name, one] as const)
  const after = before.map(([name, one]) => [name, renewed(one, ids)] as const)
  if (after.every(([, one], index) => one === before[index]?.[1])) return value
  return Array.isArray(value) ? after.map(([, one]) => one) : Object.fromEntries(after)
}

function* invites({ invites }: View, ids: ReadonlyMap<string, string>): Iterable<LocalChange> {
  for (const invite of [...invites.oldestFirst()]) {
    const project_id = ids.get(invite.project_id ?? '')
    if (project_id !== undefined)
      yield { table: 'invite', id: invite.invite_id, value: { ...invite, project_id } }
  }
}

function* invitations({ peers }: View, ids: ReadonlyMap<string, string>): Iterable<LocalChange> {
  for (const peer of [...peers.oldestFirst()]) {
    const { invited_to = [] } = peer
    if (!invited_to.some(({ project_id }) => ids.has(project_id))) continue
    const renewed = invited_to.map(
      (one): Invitation => ({ ...one, project_id: ids.get(one.project_id) ?? one.project_id }),
    )
    yield { table: 'peer', id: peer.agent_id, value: { ...peer, invited_to: renewed } }
  }
}

function* namings(
  { namings }: View,
  project_id: string,
  ids: ReadonlyMap<string, string>,
): Iterable<LocalChange> {
  const renamed = ids.get(project_id) ?? project_id
  for (const [before, packet_id] of ids) {
    const old = namingId({ project_id, packet_id: before })
    const value = namings.get(old)
    if (value === undefined) continue
    yield { table: 'naming', id: old, value: null }
    yield { table: 'naming', id: namingId({ project_id: renamed, packet_id }), value }
  }
}
