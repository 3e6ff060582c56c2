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
export class Receipts implements AsyncDisposable {
  readonly #deps: ReceiptsDeps
  readonly #due = new Map<string, Due>()
  /**
   * The repo that a value was last shown to. Values are never changed in place, so one receipt for each is enough.
   */
  readonly #shown = new WeakMap<object, string>()
  readonly #repos = new WeakMap<ProjectView, { agentId: string; repoId: string | undefined }>()
  #isResting = false
  #isEnded = false
  #writing: Promise<void> = Promise.resolve()
  #cancel: () => void = () => {}

  constructor(deps: ReceiptsDeps) {
    this.#deps = deps
  }

  note(caller: Caller, { project_id, contracts = [], packets = [] }: Shown): void {
    if (!isLocalAgent(caller)) return
    const found = this.#deps.store.view.projects.get(project_id)
    const repoId = found && this.#repoOf(found, caller.agentId)
    if (found === undefined || repoId === undefined) return
    for (const contract of contracts)
      if (this.#isFirst(contract, repoId) && isContractFor(repoId, contract))
        this.#noteOne(found, repoId, readStateOfContract(contract))
    for (const packet of packets)
      if (this.#isFirst(packet, repoId) && isPacketFor(repoId, packet))
        this.#noteOne(found, repoId, readStateOfPacket(packet))
    if (this.#due.size > 0) this.#writeSoon()
  }

  /** Writes what is due; nothing is written after that. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#cancel()
    await this.#writing
    await this.#write().catch(() => {}) // only receipts are lost
  }

  #isFirst(value: object, repoId: string): boolean {
    if (this.#shown.get(value) === repoId) return false
    this.#shown.set(value, repoId)
    return true
  }

  /** The repo that the agent holds through this daemon; remembered until the project changes. */
  #repoOf(found: ProjectView, agentId: string): string | undefined {
    const known = this.#repos.get(found)
    if (known?.agentId === agentId) return known.repoId
    const repo = repoOfAgent(found, agentId, this.#deps.self.signer.keyId)
    const repoId = repo && this.#speakerFor(found, repo.repo_id) && repo.repo_id
    this.#repos.set(found, { agentId, repoId })
    return repoId
  }

  /**
   * By which claim this daemon speaks for a repo. Undefined for the repo of an agent that signs nothing itself: this
   * daemon does not know what such an agent was shown.
   */
  #speakerFor({ repos }: ProjectView, repoId: string): SpeaksBy | undefined {
    const holder = repos.get(repoId)?.holder
    const isOurs = holder?.speaks_by.key === this.#deps.self.signer.keyId && holder.reported_by === undefined
    return isOurs ? holder?.speaks_by : undefined
  }

  #noteOne(found: ProjectView, repo_id: string, sight: ReadState): void {
    if (seenBy(repo_id, sight, found) !== undefined) return
    const { project_id } = found.project
    const key = `${project_id} ${repo_id}`
    const due = this.#due.get(key) ?? { project_id, repo_id, sights: new Map() }
    due.sights.set(sight.id, sight)
    this.#due.set(key, due)
  }

  #writeSoon(): void {
    if (this.#isResting || this.#isEnded) return
    this.#isResting = true
    this.#writing = this.#write().catch(() => {}) // what failed is still due, and is tried again next time
    this.#cancel = this.#deps.timers.after(this.#deps.everyMillis, () => {
      this.#isResting = false
      if (this.#due.size > 0) this.#writeSoon()
    })
  }

  /** Writes all that is due, in pieces, so that other commits do not wait long. */
  async #write(): Promise<void> {
    const taken = [...this.#due]
    this.#due.clear()
    try {
      for (const [, { sights, ...due }] of taken)
        while (sights.size > 0) {
          const some = [...sights].slice(0, MOST_RECEIPTS_PER_COMMIT)
          await this.#say({ ...due, sights: new Map(some) })
          for (const [id] of some) sights.delete(id)
        }
    } catch (error) {
      // What was shown in the meantime is newer and wins.
      for (const [key, { sights, ...due }] of taken)
        if (sights.size > 0)
          this.#due.set(key, { ...due, sights: new Map([...sights, ...(this.#due.get(key)?.sights ?? [])]) })
      throw error
    }
  }

  #say({ project_id, repo_id, sights }: Due): Promise<void> {
    const { store, clock } = this.#deps
    return store.commit((view) => {
      const found = view.projects.get(project_id)
      const speaksBy = found && this.#speakerFor(found, repo_id)
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
