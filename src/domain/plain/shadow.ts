import { EARLIEST, type Stamp } from '../../protocol/stamp.ts'
import type { EntityName, LocalChange } from '../change.ts'
import { namesIn } from '../entity.ts'
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

export interface ShownForm {
  readonly agentId: string
  readonly name: EntityName
  readonly form: Form
  readonly at?: Stamp
  /** By what id the peer knows it. */
  readonly idThere?: string
}

/** The peer showed this. Nothing to keep when it is what was known. */
export function showing(
  shadow: Shadow | undefined,
  { agentId, name, form, at = EARLIEST, idThere = name.id }: ShownForm,
): LocalChange[] {
  const isKnown =
    shadow !== undefined &&
    sameForm(shadow.shown, form) &&
    shadow.at >= at &&
    (shadow.id_there ?? name.id) === idThere
  if (isKnown && shadow.sent === null) return []
  const newest = shadow === undefined || at > shadow.at ? at : shadow.at
  // What is on its way may still arrive, unless this is it.
  const sent = shadow === undefined || sameForm(shadow.sent, form) ? null : shadow.sent
  const value = { agent_id: agentId, shown: form, sent, at: newest }
  return [change(agentId, name, idThere === name.id ? value : { ...value, id_there: idThere })]
}

/** This goes to the peer: whatever comes of it, finding it there will be no surprise. */
export function sending(view: View, agentId: string, name: EntityName, form: Form): LocalChange {
  const shadow = shadowOf(view, agentId, name) ?? { agent_id: agentId, shown: null, at: EARLIEST }
  return change(agentId, name, { ...shadow, sent: form })
}

/** The peer took what was sent, unless it has shown something else since. */
export function acknowledging(view: View, agentId: string, name: EntityName, form: Form): LocalChange[] {
  const shadow = shadowOf(view, agentId, name)
  if (shadow === undefined || !sameForm(shadow.sent, form)) return []
  return [change(agentId, name, { ...shadow, shown: form, sent: null })]
}

/** The peer does not have it any more. */
export const forgetting = (agentId: string, name: EntityName): LocalChange => change(agentId, name, null)

/** Somebody wrote over what the peer had: it is to get ours again. */
export const mending = (agentId: string, name: EntityName, shadow: Shadow): LocalChange =>
  change(agentId, name, { ...shadow, shown: null, sent: null })

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

/** What would be sent of an entity; undefined when there is nothing. */
export function formOf({ kind, id }: EntityName, found: ProjectView): Form | undefined {
  switch (kind) {
    case 'project':
      return projectForm(found.project)
    case 'repo': {
      const repo = found.repos.get(id)
      return repo && ownRepoForm(repo)
    }
    case 'contract': {
      const contract = found.contracts.get(id)
      return contract && ownContractForm(contract)
    }
    case 'packet': {
      const packet = found.packets.get(id)
      // There is nothing to say of one whose content was taken away.
      return packet === undefined || packet.content === null ? undefined : ownPacketForm(packet)
    }
    case 'receipt':
    case 'other':
      return undefined
    default:
      return kind satisfies never
  }
}

/** A plain peer takes projects and packets once and for all, repos and contracts whenever they change. */
export function isDue(name: EntityName, found: ProjectView, shadow: Shadow | undefined): boolean {
  const isOnce = name.kind === 'project' || name.kind === 'packet'
  if (isOnce && shadow?.shown != null) return false
  const form = formOf(name, found)
  return form !== undefined && !sameForm(shadow?.shown, form)
}
