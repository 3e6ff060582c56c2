import type { EntityName } from '../../../domain/change.ts'
import { namesIn } from '../../../domain/entity.ts'
import { repoIdsOf } from '../../../domain/plain/ids.ts'
import { toPlainContract, toPlainPacket, toPlainProject, toPlainRepo } from '../../../domain/plain/phrase.ts'
import { acknowledging, formOf, isDue, sending, shadowOf } from '../../../domain/plain/shadow.ts'
import type { View } from '../../../domain/view.ts'
import { Fault } from '../../../protocol/fault.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../../protocol/stamp.ts'
import { type Outcome, refusalIn } from '../peer/conversation.ts'
import type { PlainPull, PlainPullDeps } from './pull.ts'

export interface PlainPushDeps extends Omit<PlainPullDeps, 'dispatch'> {
  pull: PlainPull
}

/** How often a contract is tried that the peer changes at the same time. */
const TRIES = 4

interface Parcel {
  readonly method: string
  readonly params: object
  /** What is in it. */
  readonly names: readonly EntityName[]
}

export type PlainPush = ReturnType<typeof createPlainPush>

/**
 * Brings entities to a plain peer, one call each. Before anything leaves it is on record that it did, so
 * that finding it there later is never taken for the peer's own doing.
 */
export function createPlainPush({ pull, store, conversation, peer, view }: PlainPushDeps) {
  const { agent_id: agentId } = peer
  return { send, settled }

  /** Returns why the peer would not take it, or undefined when it has it. */
  async function send(name: EntityName): Promise<string | undefined> {
    const { project_id } = name
    const unshown = pull.unshown(project_id)
    if (unshown !== undefined) return unshown
    const project: EntityName = { kind: 'project', project_id, id: project_id }
    if (!isHeld(project)) {
      const refusal = await sendProject(project_id)
      if (refusal !== undefined) return refusal
    }
    const refusal = await sendPart(name)
    if (refusal === undefined || name.kind === 'project') return refusal
    // It may have lost the project meanwhile; then it gets that first.
    await pull.one(project_id)
    if (isHeld(project)) return refusal
    return (await sendProject(project_id)) ?? sendPart(name)
  }

  /** Waits until all that the peer said is on disk, and fails when that was taken back. */
  function settled(): Promise<void> {
    let isTakenBack = false
    return store.commit(() => {
      if (isTakenBack) throw new Fault('unavailable', 'What the peer said could not be saved')
      isTakenBack = true
      return { result: undefined }
    })
  }

  /** Once and only when the peer lacks it: to the reference, a project takes the place of all that it holds. */
  async function sendProject(projectId: string): Promise<string | undefined> {
    for (const isWhole of [true, false]) {
      const outcome = await hand((view) => {
        const found = view.projects.get(projectId)
        if (found === undefined) return undefined
        const { there } = repoIdsOf(view, agentId, projectId)
        const project = toPlainProject(found, there, { isWhole })
        const isTooLong = isWhole && JSON.stringify(project).length > LIMITS.peerBodyBytes
        return {
          method: 'cacp/project/sync',
          params: { project: isTooLong ? toPlainProject(found, there, { isWhole: false }) : project },
          names: [...namesIn(found)].filter(
            ({ kind }) => (isWhole && !isTooLong) || kind === 'project' || kind === 'repo',
          ),
        }
      })
      if (outcome === undefined || outcome.result?.['status'] === 'skipped') break
      const refusal = refusalIn(outcome)?.message
      if (refusal === undefined) return undefined
      if (!isWhole) return refusal
    }
    await pull.one(projectId)
    return undefined
  }

  async function sendPart(name: EntityName): Promise<string | undefined> {
    if (name.kind === 'contract') return sendContract(name)
    const untaken = pull.refusalOf(name)
    if (untaken !== undefined) return untaken
    const outcome = await hand((now) => parcelOf(now, name))
    return outcome === undefined ? undefined : refusalIn(outcome)?.message
  }

  /**
   * The peer keeps whatever is newer, and stamps what it takes. So it is looked at first, and ours is just
   * newer than what was seen: if it changed its contract since, it keeps that and we look again.
   */
  async function sendContract(name: EntityName): Promise<string | undefined> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const isThere = attempt > 0 || isHeld(name)
      const stamp = isThere ? await pull.contract(name.project_id, name.id) : undefined
      const untaken = pull.refusalOf(name)
      if (untaken !== undefined) return untaken
      const outcome = await hand((now) => parcelOf(now, name, stamp))
      if (outcome === undefined) return undefined
      if (outcome.result?.['status'] !== 'skipped') return refusalIn(outcome)?.message
    }
    return 'It keeps what it has'
  }

  /** What is to be sent of an entity, if the peer has not got it. */
  function parcelOf(view: View, name: EntityName, stamp?: Stamp): Parcel | undefined {
    const found = view.projects.get(name.project_id)
    if (found === undefined) return undefined
    const shadow = shadowOf(view, agentId, name)
    if (!isDue(name, found, shadow)) return undefined
    const { project_id: projectId, id } = name
    const { there } = repoIdsOf(view, agentId, projectId)
    const names = [name]
    const repo = name.kind === 'repo' ? found.repos.get(id) : undefined
    if (repo !== undefined)
      return { method: 'cacp/repo/sync', params: { projectId, repo: toPlainRepo(repo, there) }, names }
    const contract = name.kind === 'contract' ? found.contracts.get(id) : undefined
    if (contract !== undefined) {
      const phrased = toPlainContract(contract, there, stamp && addMicros(stamp, 1))
      return { method: 'cacp/contract/sync', params: { projectId, contract: phrased }, names }
    }
    const packet = name.kind === 'packet' ? found.packets.get(id) : undefined
    if (packet === undefined) return undefined
    return { method: 'cacp/context/sync', params: { projectId, packet: toPlainPacket(packet, there) }, names }
  }

  /** Notes durably what is about to be sent, sends it, and notes that it was taken. */
  async function hand(decide: (view: View) => Parcel | undefined): Promise<Outcome | undefined> {
    const parcel = await store.commit((now) => {
      const result = decide(now)
      const forms = result === undefined ? [] : formsOf(now, result)
      const local = forms.map(({ name, form }) => sending(now, agentId, name, form))
      return { result: result && { ...result, forms }, local }
    })
    if (parcel === undefined) return undefined
    const outcome = await conversation.hand(parcel.method, parcel.params)
    const { status } = outcome.result ?? {}
    const isTaken = status === 'created' || status === 'updated'
    if (isTaken || (status === 'skipped' && parcel.method === 'cacp/context/sync'))
      // Later commits are written after this one, so nobody has to wait for it.
      store
        .commit((view) => ({
          result: undefined,
          local: parcel.forms.flatMap(({ name, form }) => acknowledging(view, agentId, name, form)),
        }))
        .catch(() => {})
    return outcome
  }

  function isHeld(name: EntityName): boolean {
    return shadowOf(view, agentId, name)?.shown != null
  }
}

function formsOf(view: View, { names }: Parcel) {
  return names.flatMap((name) => {
    const found = view.projects.get(name.project_id)
    const form = found && formOf(name, found)
    return form === undefined ? [] : [{ name, form }]
  })
}
