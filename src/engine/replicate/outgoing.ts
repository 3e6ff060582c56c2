import { maySee } from '../../domain/lookup.ts'
import type { Peer, Repo } from '../../domain/model.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'
import type { SequencedChange } from '../ports.ts'
import type { HandoverTexts } from './handover-texts.ts'
import type { ReplicationRules } from './rules.ts'

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

/** A batch under construction: each project before its parts, nothing that the peer may not see. */
export class Outgoing {
  readonly calls: OutgoingCall[] = []
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

  add(change: SequencedChange): void {
    const { log, view, peer } = this.#deps
    const found = view.projects.get(change.project_id)
    if (found === undefined || !maySee(found, { kind: 'peer', repoName: peer.repo_name })) return
    const head = log.get(entityKey({ kind: 'project', project_id: change.project_id, id: change.project_id }))
    if (head === undefined) return
    if (change.kind !== 'project' && !this.#told.has(change.project_id)) this.#put(head, found)
    this.#put(change, found)
  }

  #put(change: SequencedChange, found: ProjectView): void {
    const key = entityKey(change)
    if (this.#included.has(key)) return
    this.#included.add(key)
    const text = this.#textOf(change, found)
    this.calls.push({ change, text })
    this.#bytes += text.length
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
