import type { Change } from '../../domain/change.ts'
import type { Audience } from '../../domain/inbox.ts'
import { ProjectInbox } from './project-inbox.ts'

/** A repo that an agent holds, with what concerns it. */
export interface Seat {
  readonly inbox: ProjectInbox
  readonly repoId: string
}

/** A change of what somebody has to do. */
export interface Touched {
  readonly projectId: string
  readonly inbox: ProjectInbox
  readonly to: Audience
}

const EVERYBODY: Audience = { but: [] }

/** What every repo has to do, by project, and which agents hold the repos. */
export class InboxIndex {
  readonly #projects = new Map<string, ProjectInbox>()
  /** By agent, then by project: the repo it holds there. */
  readonly #seats = new Map<string, Map<string, Seat>>()
  /** By project: whose seats are noted. */
  readonly #holders = new Map<string, readonly string[]>()

  /** Returns whom it concerns. */
  put(change: Change): readonly Touched[] {
    const { project_id: projectId } = change
    const inbox = this.#inboxOf(projectId)
    const touched = (audiences: readonly Audience[]) => audiences.map((to) => ({ projectId, inbox, to }))
    switch (change.kind) {
      case 'project':
        inbox.putProject(change.value)
        this.#seat(projectId, inbox)
        return touched([EVERYBODY])
      case 'repo':
        inbox.putRepo(change.value)
        this.#seat(projectId, inbox)
        return touched([EVERYBODY])
      case 'contract':
        return touched(inbox.putContract(change.value))
      case 'packet':
        return touched(inbox.putPacket(change.value))
      case 'receipt': // what somebody has seen is nothing to do
        return []
      default:
        return change satisfies never
    }
  }

  /** By project, in all that are not archived, or in one of them. */
  *seatsOf(agentId: string, projectId?: string): Iterable<readonly [projectId: string, seat: Seat]> {
    const seats = this.#seats.get(agentId) ?? new Map<string, Seat>()
    const only = projectId === undefined ? undefined : seats.get(projectId)
    if (projectId === undefined) {
      for (const entry of seats) if (entry[1].inbox.isListed) yield entry
    } else if (only?.inbox.isListed === true) yield [projectId, only]
  }

  #inboxOf(projectId: string): ProjectInbox {
    const known = this.#projects.get(projectId)
    if (known !== undefined) return known
    const created = new ProjectInbox()
    this.#projects.set(projectId, created)
    return created
  }

  #seat(projectId: string, inbox: ProjectInbox): void {
    for (const agentId of this.#holders.get(projectId) ?? []) this.#seats.get(agentId)?.delete(projectId)
    const holders = inbox.holders()
    this.#holders.set(projectId, [...holders.keys()])
    for (const [agentId, repoId] of holders) {
      const seats = this.#seats.get(agentId) ?? new Map<string, Seat>()
      this.#seats.set(agentId, seats.set(projectId, { inbox, repoId }))
    }
  }
}
