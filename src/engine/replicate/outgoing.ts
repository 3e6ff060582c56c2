import type { Peer, Repo } from '../../domain/model.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'
import type { SequencedChange } from '../ports.ts'
import type { HandoverTexts } from './handover-texts.ts'
import type { ReplicationRules } from './rules.ts'
import { projectShownTo } from './shown.ts'

export interface OutgoingDeps {
  log: ChangeLog
  view: View
  texts: HandoverTexts
  peer: Peer
  rules: ReplicationRules
}

/** One call of a batch, and the entity that it is about. */
export interface OutgoingCall {
  readonly change: SequencedChange
  readonly text: string
}

/** What a peer takes in one request, less what is written around the calls. */
const ROOM_BYTES = LIMITS.peerBodyBytes - 64 * 1024

/** A batch under construction: each project before its parts, nothing that the peer may not see. */
export class Outgoing {
  readonly calls: OutgoingCall[] = []
  /** What is too long for any batch; a peer that compares itself with us can still fetch it. */
  readonly tooLong: SequencedChange[] = []
  readonly #deps: OutgoingDeps
  /** Projects that the peer is known to have. */
  readonly #told: ReadonlySet<string>
  readonly #included = new Set<string>()
  #bytes = 0

  constructor(deps: OutgoingDeps, told: ReadonlySet<string>) {
    this.#deps = deps
    this.#told = told
  }

  get isFull(): boolean {
    const { batchItems, batchBytes } = this.#deps.rules
    return this.calls.length >= batchItems || this.#bytes >= batchBytes
  }

  /** Returns false, and leaves the batch as it is, when there is no more room; an empty one has room for anything. */
  add(change: SequencedChange): boolean {
    const { log } = this.#deps
    const found = projectShownTo(this.#deps, change.project_id)
    if (found === undefined) return true
    const head = log.get(entityKey({ kind: 'project', project_id: change.project_id, id: change.project_id }))
    if (head === undefined) return true
    const needsHead = change.kind !== 'project' && !this.#told.has(change.project_id)
    const wanted = (needsHead ? [head, change] : [change])
      .filter((one) => !this.#included.has(entityKey(one)))
      .map((one) => this.#written(one, found))
    const fitting = wanted.filter(({ bytes }) => bytes <= ROOM_BYTES)
    const bytes = fitting.reduce((sum, one) => sum + one.bytes, this.#bytes)
    if (bytes > ROOM_BYTES && this.calls.length > 0) return false
    for (const one of wanted) this.#put(one)
    return true
  }

  /** What has no room beside its project waits aside until that has arrived. */
  #put({ change, text, bytes }: OutgoingCall & { bytes: number }): void {
    this.#included.add(entityKey(change))
    if (this.#bytes + bytes > ROOM_BYTES) {
      this.tooLong.push(change)
      return
    }
    this.calls.push({ change, text })
    this.#bytes += bytes
  }

  #written(change: SequencedChange, found: ProjectView): OutgoingCall & { bytes: number } {
    const text = this.#textOf(change, found)
    return { change, text, bytes: Buffer.byteLength(text) }
  }

  #textOf(change: SequencedChange, found: ProjectView): string {
    const { texts } = this.#deps
    return change.kind === 'project' && found.project.visibility === 'members'
      ? texts.ofProjectAmong(this.#membersOf(found), change, found.project)
      : texts.of(change, found.project)
  }

  /** As they are on disk: what is only in memory is nothing to tell of. */
  #membersOf({ project: { project_id }, repos }: ProjectView): Repo[] {
    return Array.from(repos.oldestFirst()).flatMap(({ repo_id: id }) => {
      const change = this.#deps.log.get(entityKey({ kind: 'repo', project_id, id }))
      return change?.kind === 'repo' ? [change.value] : []
    })
  }
}
