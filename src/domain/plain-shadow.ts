import { EARLIEST, type Stamp } from '../protocol/stamp.ts'
import type { Change, DocumentedChange, LocalChange } from './change.ts'
import { type EntityName, namesIn } from './entity.ts'
import type { Form, Shadow } from './model.ts'
import { ownContractForm, ownPacketForm, ownProjectForm, ownRepoForm, sameForm } from './plain-form.ts'
import type { ProjectView, View } from './view.ts'

const shadowId = (agentId: string, { kind, project_id, id }: EntityName): string =>
  `${agentId} ${kind} ${project_id} ${id}`

export function shadowOf(view: View, agentId: string, name: EntityName): Shadow | undefined {
  return view.shadows.get(shadowId(agentId, name))
}

const change = (agentId: string, name: EntityName, value: Shadow | null): LocalChange => ({
  table: 'shadow',
  id: shadowId(agentId, name),
  value,
})

/** The peer showed this. Nothing to keep when it is what was known. */
export function showing(
  shadow: Shadow | undefined,
  { agentId, name, form, at }: { agentId: string; name: EntityName; form: Form; at: Stamp },
): LocalChange[] {
  const isKnown = shadow !== undefined && sameForm(shadow.shown, form) && shadow.at >= at
  if (isKnown && shadow.sent === null) return []
  const newest = shadow === undefined || at > shadow.at ? at : shadow.at
  // What is on its way may still arrive, unless this is it.
  const sent = shadow === undefined || sameForm(shadow.sent, form) ? null : shadow.sent
  return [change(agentId, name, { agent_id: agentId, shown: form, sent, at: newest })]
}

/** This goes to the peer: whatever comes of it, finding it there will be no surprise. */
export function sending(view: View, agentId: string, name: EntityName, form: Form): LocalChange {
  const { shown = null, at = EARLIEST } = shadowOf(view, agentId, name) ?? {}
  return change(agentId, name, { agent_id: agentId, shown, sent: form, at })
}

/** The peer took what was sent, unless it has shown something else since. */
export function acknowledging(view: View, agentId: string, name: EntityName, form: Form): LocalChange[] {
  const shadow = shadowOf(view, agentId, name)
  if (shadow === undefined || !sameForm(shadow.sent, form)) return []
  return [change(agentId, name, { ...shadow, shown: form, sent: null })]
}

/** The peer does not have it any more. */
export const forgetting = (agentId: string, name: EntityName): LocalChange => change(agentId, name, null)

/** Nothing is to be known of the peer any more. */
export function forgettingAll(view: View, agentId: string): LocalChange[] {
  const held = [...view.projects.oldestFirst()].flatMap((found) =>
    [...namesIn(found)].filter((name) => shadowOf(view, agentId, name) !== undefined),
  )
  return held.map((name) => forgetting(agentId, name))
}

/** From now on the peer is believed whatever stamp it shows: its clock was set back, or its disk. */
export const trustingAnew = (agentId: string, name: EntityName, shadow: Shadow): LocalChange =>
  change(agentId, name, { ...shadow, at: EARLIEST })

/** Leaves out what was shown but not taken: it is to be looked at again. */
export function exceptOf(
  local: readonly LocalChange[],
  agentId: string,
  refused: readonly EntityName[],
): readonly LocalChange[] {
  if (refused.length === 0) return local
  const ids = new Set(refused.map((name) => shadowId(agentId, name)))
  return local.filter((one) => !ids.has(one.id))
}

/** What would be sent of an entity. */
export function formOf(entity: DocumentedChange, { project }: ProjectView): Form {
  switch (entity.kind) {
    case 'project':
      return ownProjectForm(entity.value)
    case 'repo':
      return ownRepoForm(entity.value, project)
    case 'contract':
      return ownContractForm(entity.value)
    case 'packet':
      return ownPacketForm(entity.value)
    default:
      return entity satisfies never
  }
}

/** A plain peer takes projects and packets once and for all, repos and contracts whenever they change, and no receipts. */
export function isDue(
  entity: Change,
  found: ProjectView,
  shadow: Shadow | undefined,
): entity is DocumentedChange {
  if (entity.kind === 'receipt') return false
  if (shadow?.shown == null) return true
  if (entity.kind === 'project' || entity.kind === 'packet') return false
  return !sameForm(shadow.shown, formOf(entity, found))
}
