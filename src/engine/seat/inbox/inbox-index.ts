import type { EntityName } from '../../../domain/change.ts'
import type { Caller } from '../../../domain/env.ts'
import type { Audience, Duty } from '../../../domain/inbox/inbox.ts'
import type { InboxItem } from '../../../domain/inbox/item-shape.ts'
import type { ProjectView } from '../../../domain/view.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { SortedEntries } from '../sorted-entries.ts'
import { type InboxEntry, ProjectInbox, type SubjectName } from './project-inbox.ts'

/** A repo that an agent holds, or wants to hold, with its part of the project's inbox. */
export interface Seat {
  readonly inbox: ProjectInbox
  readonly repoId: string
  /** An agent that does not hold the repo gets only the items about who holds it. */
  readonly isHolder: boolean
  /** Items about who holds which repo. */
  readonly ownershipItems?: { readonly duties: readonly Duty[]; readonly order: SortedEntries<InboxEntry> }
}

/** The agent whose inbox is read. */
export type InboxOwner = Pick<Caller, 'agentId' | 'repoName'>

export const dutiesOf = (
  { inbox, repoId, isHolder, ownershipItems }: Seat,
  ofUrgency: { readonly isLow: boolean },
): SortedEntries<InboxEntry>[] => [
  ...(isHolder ? inbox.dutiesOf(repoId, ofUrgency) : []),
  ...(ownershipItems === undefined || ofUrgency.isLow ? [] : [ownershipItems.order]),
]

/** Undefined when there is no such item any more, or when it is for somebody else. */
export function itemAt(
  { inbox, repoId, isHolder, ownershipItems }: Seat,
  kind: Duty['kind'],
  name: SubjectName,
): InboxItem | undefined {
  if (name.kind !== 'project') return isHolder ? inbox.item(repoId, kind, name) : undefined
  const duty = inbox.project.project_id === name.id && ownershipItems?.duties.find((one) => one.kind === kind)
  return duty ? inbox.itemOnProject(duty) : undefined
}

/** A change of what some repos have to do. */
export interface InboxChange {
  readonly projectId: string
  readonly to: Audience
}

const EVERYBODY: Audience = { but: [] }

/** What every repo has to do, by project, and which agents hold the repos. */
export class InboxIndex {
  readonly #ownKey: () => string
  readonly #projects = new Map<string, ProjectInbox>()
  /**
   * By agent, then by project: the repo it holds there, or claimed without success, or whose holder it has to settle.
   */
  readonly #seats = new Map<string, Map<string, Seat>>()
  /** By the name of a repo, then by project: repos that nobody holds yet. */
  readonly #unheldRepos = new Map<string, Map<string, Seat>>()
  /** By project: the inner maps of the two above that have an entry for it. */
  readonly #mapsWith = new Map<string, readonly Map<string, Seat>[]>()

  /** `ownKey` is the key of this daemon: an agent of another daemon may have the same name as one of its agents. */
  constructor(ownKey: () => string) {
    this.#ownKey = ownKey
  }

  /** Takes in one entity as it now is in its project. Returns whose inboxes that changes. */
  put({ kind, project_id: projectId, id }: EntityName, found: ProjectView): readonly InboxChange[] {
    const inbox = getOrAdd(this.#projects, projectId, () => new ProjectInbox(projectId, this.#ownKey))
    const touched = (audiences: readonly Audience[]) => audiences.map((to) => ({ projectId, to }))
    switch (kind) {
      case 'project':
        inbox.putProject(found.project)
        this.#seat(projectId, inbox)
        return touched([EVERYBODY])
      case 'repo':
        inbox.putRepo(id, found.repos.get(id))
        this.#seat(projectId, inbox)
        return touched([EVERYBODY])
      case 'contract':
        return touched(inbox.putContract(id, found.contracts.get(id)))
      case 'packet':
        return touched(inbox.putPacket(id, found.packets.get(id)))
      case 'receipt': // a receipt gives nobody anything to do
      case 'other':
        return []
      default:
        return kind satisfies never
    }
  }

  openQuestionsIn(projectId: string): number {
    return this.#projects.get(projectId)?.openQuestions ?? 0
  }

  /** The repos of this agent in all projects that are not archived, or in one of them. */
  *seatsOf(owner: InboxOwner, projectId?: string): Iterable<readonly [projectId: string, seat: Seat]> {
    const held = this.#seats.get(owner.agentId)
    const vacant = owner.repoName === null ? undefined : this.#unheldRepos.get(owner.repoName)
    for (const entry of entriesOf(held, projectId)) if (entry[1].inbox.isListed) yield entry
    for (const [id, seat] of entriesOf(vacant, projectId))
      if (held?.has(id) !== true && seat.inbox.isListed && !seat.inbox.hasLeft(seat.repoId, owner.agentId))
        yield [id, seat]
  }

  #seat(projectId: string, inbox: ProjectInbox): void {
    for (const seats of this.#mapsWith.get(projectId) ?? []) seats.delete(projectId)
    const noted: Map<string, Seat>[] = []
    const note = (table: Map<string, Map<string, Seat>>, key: string, seat: Seat) => {
      noted.push(getOrAdd(table, key, () => new Map<string, Seat>()).set(projectId, seat))
    }
    const ownershipItems = inbox.ownershipItems()
    for (const [agentId, repoId] of inbox.holders()) {
      const { duties = [] } = ownershipItems.get(agentId) ?? {}
      note(this.#seats, agentId, { inbox, repoId, isHolder: true, ...withOwnershipItems(inbox, duties) })
    }
    for (const [agentId, { repoId, duties }] of ownershipItems)
      if (this.#seats.get(agentId)?.has(projectId) !== true)
        note(this.#seats, agentId, { inbox, repoId, isHolder: false, ...withOwnershipItems(inbox, duties) })
    for (const { name, repoId, duty } of inbox.unheldRepos())
      note(this.#unheldRepos, name, { inbox, repoId, isHolder: false, ...withOwnershipItems(inbox, [duty]) })
    this.#mapsWith.set(projectId, noted)
  }
}

function withOwnershipItems(inbox: ProjectInbox, duties: readonly Duty[]): Pick<Seat, 'ownershipItems'> {
  if (duties.length === 0) return {}
  const { project_id: id } = inbox.project
  const order = new SortedEntries<InboxEntry>()
  for (const { kind: what, since } of duties)
    order.add({ inbox, subject: { kind: 'project', id }, what, since, id: `${what} ${id}` })
  return { ownershipItems: { duties, order } }
}

function* entriesOf(
  seats: ReadonlyMap<string, Seat> | undefined,
  projectId: string | undefined,
): Iterable<readonly [projectId: string, seat: Seat]> {
  if (seats === undefined) return
  if (projectId === undefined) return yield* seats
  const only = seats.get(projectId)
  if (only !== undefined) yield [projectId, only]
}
