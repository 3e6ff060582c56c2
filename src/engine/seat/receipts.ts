import {
  isContractFor,
  isLocalAgent,
  isPacketFor,
  type ReadState,
  readStateOfContract,
  readStateOfPacket,
  type Shown,
  seenBy,
} from '../../domain/delivery/receipt.ts'
import type { Caller } from '../../domain/env.ts'
import { repoOfAgent } from '../../domain/lookup.ts'
import { remainingStatements, SHARES, speakIn } from '../../domain/speaking/speaking.ts'
import type { SpeaksBy } from '../../domain/statements/say.ts'
import { sighting } from '../../domain/statements/sighting.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { Parts } from '../parts.ts'

export interface ReceiptsDeps extends Pick<Parts, 'self' | 'store' | 'clock' | 'timers'> {
  /** The shortest time between two writes of receipts. */
  everyMillis: number
}

/** What the agent of a repo was shown of a project and no receipt says yet. */
interface Due {
  readonly project_id: string
  readonly repo_id: string
  /** By the id of the contract or packet. */
  readonly sights: Map<string, ReadState>
}

const MOST_RECEIPTS_PER_COMMIT = 200

/**
 * Writes receipts for what the agents of this daemon were shown. The first one after a quiet time is written at once,
 * those that follow soon after are written together; the call that showed something does not wait for it.
 */
export function createReceipts({ self, store, clock, timers, everyMillis }: ReceiptsDeps) {
  const dues = new Map<string, Due>()
  /** The repo that a value was last shown to. Values are never changed in place, so one receipt for each is enough. */
  const lastShown = new WeakMap<object, string>()
  const repos = new WeakMap<ProjectView, { agentId: string; repoId: string | undefined }>()
  let isResting = false
  let isEnded = false
  let writing: Promise<void> = Promise.resolve()
  let cancel = () => {}

  return {
    note,
    /** Writes what is due; nothing is written after that. */
    async [Symbol.asyncDispose](): Promise<void> {
      isEnded = true
      cancel()
      await writing
      await write().catch(() => {}) // only receipts are lost
    },
  }

  function note(caller: Caller, { project_id, contracts = [], packets = [] }: Shown): void {
    if (!isLocalAgent(caller)) return
    const found = store.view.projects.get(project_id)
    const repoId = found && repoOf(found, caller.agentId)
    if (found === undefined || repoId === undefined) return
    for (const contract of contracts)
      if (isFirst(contract, repoId) && isContractFor(repoId, contract))
        noteOne(found, repoId, readStateOfContract(contract))
    for (const packet of packets)
      if (isFirst(packet, repoId) && isPacketFor(repoId, packet))
        noteOne(found, repoId, readStateOfPacket(packet))
    if (dues.size > 0) writeSoon()
  }

  function isFirst(value: object, repoId: string): boolean {
    if (lastShown.get(value) === repoId) return false
    lastShown.set(value, repoId)
    return true
  }

  /** The repo that the agent holds through this daemon; remembered until the project changes. */
  function repoOf(found: ProjectView, agentId: string): string | undefined {
    const known = repos.get(found)
    if (known?.agentId === agentId) return known.repoId
    const repo = repoOfAgent(found, agentId, self.signer.keyId)
    const repoId = repo && speakerFor(found, repo.repo_id) && repo.repo_id
    repos.set(found, { agentId, repoId })
    return repoId
  }

  /**
   * By which claim this daemon speaks for a repo. Undefined for the repo of an agent that signs nothing itself: this
   * daemon does not know what such an agent was shown.
   */
  function speakerFor(found: ProjectView, repoId: string): SpeaksBy | undefined {
    const holder = found.repos.get(repoId)?.holder
    const isOurs = holder?.speaks_by.key === self.signer.keyId && holder.reported_by === undefined
    return isOurs ? holder?.speaks_by : undefined
  }

  function noteOne(found: ProjectView, repo_id: string, sight: ReadState): void {
    if (seenBy(repo_id, sight, found) !== undefined) return
    const { project_id } = found.project
    const key = `${project_id} ${repo_id}`
    const due = dues.get(key) ?? { project_id, repo_id, sights: new Map() }
    due.sights.set(sight.id, sight)
    dues.set(key, due)
  }

  function writeSoon(): void {
    if (isResting || isEnded) return
    isResting = true
    writing = write().catch(() => {}) // what failed is still due, and is tried again next time
    cancel = timers.after(everyMillis, () => {
      isResting = false
      if (dues.size > 0) writeSoon()
    })
  }

  /** Writes all that is due, in pieces, so that other commits do not wait long. */
  async function write(): Promise<void> {
    const taken = [...dues]
    dues.clear()
    try {
      for (const [, { sights, ...due }] of taken)
        while (sights.size > 0) {
          const some = [...sights].slice(0, MOST_RECEIPTS_PER_COMMIT)
          await say({ ...due, sights: new Map(some) })
          for (const [id] of some) sights.delete(id)
        }
    } catch (error) {
      // What was shown in the meantime is newer and wins.
      for (const [key, { sights, ...due }] of taken)
        if (sights.size > 0)
          dues.set(key, { ...due, sights: new Map([...sights, ...(dues.get(key)?.sights ?? [])]) })
      throw error
    }
  }

  function say({ project_id, repo_id, sights }: Due): Promise<void> {
    return store.commit((view) => {
      const found = view.projects.get(project_id)
      const speaksBy = found && speakerFor(found, repo_id)
      if (found === undefined || speaksBy === undefined) return { result: undefined }
      const room = remainingStatements(found, speaksBy, SHARES.sightings)
      const speak = speakIn(found, speaksBy, { now: clock.now(), newNonce: () => clock.newNonce() })
      const says = [...sights.values()]
        .filter((sight) => seenBy(repo_id, sight, found) === undefined)
        .slice(0, room)
        .map(({ id, of, parts }) => speak(sighting, { about: id, body: { of, parts } }))
      return { result: undefined, says }
    })
  }
}
