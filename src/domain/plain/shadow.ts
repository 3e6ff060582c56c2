import { EARLIEST, type Stamp } from '../../protocol/stamp.ts'
import type { EntityName, LocalChange } from '../change.ts'
import { entityIn, namesIn } from '../entity.ts'
import type { Form, Shadow } from '../model.ts'
import type { ProjectView, View } from '../view.ts'
import { ownContractForm, ownPacketForm, ownRepoForm, projectForm, sameForm } from './form.ts'

/** What a plain peer is known to hold. */

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

export interface ReceivedForm {
  readonly agentId: string
  readonly name: EntityName
  readonly form: Form
  readonly at?: Stamp | undefined
  /** The peer's id for it. */
  readonly idThere?: string | undefined
}

/** Records what the peer sent. No change if it was known already. */
export function recordReceived(
  shadow: Shadow | undefined,
  { agentId, name, form, at = EARLIEST, idThere = name.id }: ReceivedForm,
): LocalChange[] {
  const isKnown =
    shadow !== undefined &&
    sameForm(shadow.shown, form) &&
    shadow.at >= at &&
    (shadow.id_there ?? name.id) === idThere
  if (isKnown && shadow.sent === null) return []
  const newest = shadow === undefined || at > shadow.at ? at : shadow.at
  // What is being sent may still arrive, unless this is it.
  const sent = shadow === undefined || sameForm(shadow.sent, form) ? null : shadow.sent
  const value = { agent_id: agentId, shown: form, sent, at: newest }
  return [change(agentId, name, idThere === name.id ? value : { ...value, id_there: idThere })]
}

/** Records what is sent to the peer, so that it is not taken for an edit when the peer sends it back. */
export function sending(view: View, agentId: string, name: EntityName, form: Form): LocalChange {
  const shadow = shadowOf(view, agentId, name) ?? { agent_id: agentId, shown: null, at: EARLIEST }
  return change(agentId, name, { ...shadow, sent: form })
}

/** Records that the peer accepted what was sent, unless it has sent something else since. */
export function acknowledging(view: View, agentId: string, name: EntityName, form: Form): LocalChange[] {
  const shadow = shadowOf(view, agentId, name)
  if (shadow === undefined || !sameForm(shadow.sent, form)) return []
  return [change(agentId, name, { ...shadow, shown: form, sent: null })]
}

/** Records that the peer no longer has the entity. */
export const forgetting = (agentId: string, name: EntityName): LocalChange => change(agentId, name, null)

/** Another peer overwrote the entity there: it has to be sent again. */
export const mending = (agentId: string, name: EntityName, shadow: Shadow): LocalChange =>
  change(agentId, name, { ...shadow, shown: null, sent: null })

/** Forgets all shadows of a peer. */
export function forgettingAll(view: View, agentId: string): LocalChange[] {
  const held = [...view.projects.oldestFirst()].flatMap((found) =>
    [...namesIn(found)].filter((name) => shadowOf(view, agentId, name) !== undefined),
  )
  return held.map((name) => forgetting(agentId, name))
}

/** Accepts any time from the peer from now on: its clock or its disk was set back. */
export const resettingShadowTime = (agentId: string, name: EntityName, shadow: Shadow): LocalChange =>
  change(agentId, name, { ...shadow, at: EARLIEST })

/** The form that would be sent of an entity; undefined if there is none. A redacted packet is not sent. */
export function formOf(name: EntityName, found: ProjectView): Form | undefined {
  const entity = entityIn(found, name)
  switch (entity?.kind) {
    case 'project':
      return projectForm(entity.value)
    case 'repo':
      return ownRepoForm(entity.value)
    case 'contract':
      return ownContractForm(entity.value)
    case 'packet':
      return entity.value.content === null ? undefined : ownPacketForm(entity.value)
    case undefined:
      return undefined
  }
}

/** The forms of an entity of this kind that the peer is known to hold. */
export const formsHeld = <Kind extends Form['kind']>(shadow: Shadow | undefined, kind: Kind) =>
  [shadow?.shown, shadow?.sent].filter((form): form is Extract<Form, { kind: Kind }> => form?.kind === kind)

/** A plain peer accepts projects and packets only once, repos and contracts whenever they change. */
export function isDue(name: EntityName, found: ProjectView, shadow: Shadow | undefined): boolean {
  const isOnce = name.kind === 'project' || name.kind === 'packet'
  if (isOnce && shadow?.shown != null) return false
  const form = formOf(name, found)
  return form !== undefined && !sameForm(shadow?.shown, form)
}
