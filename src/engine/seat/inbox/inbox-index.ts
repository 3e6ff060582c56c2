import type { EntityName } from '../../../domain/change.ts'
import type { Caller } from '../../../domain/env.ts'
import type { Audience, Duty } from '../../../domain/inbox/inbox.ts'
import type { InboxItem } from '../../../domain/inbox/item.ts'
import type { ProjectView } from '../../../domain/view.ts'
import { PlaceOrder } from './place-order.ts'
import { type InboxPlace, ProjectInbox, type SubjectName } from './project-inbox.ts'

/** A repo that an agent holds, or would like to, with what concerns it. */
export interface Seat {
  readonly inbox: ProjectInbox
  readonly repoId: string
  /** Whoever does not hold it has nothing to do with what goes on in the project. */
  readonly isHolder: boolean
  /** What there is to do about who holds what. */
  readonly matters?: { readonly duties: readonly Duty[]; readonly order: PlaceOrder<InboxPlace> }
}

/** In whose name somebody looks. */
export type Looker = Pick<Caller, 'agentId' | 'repoName'>

export const dutiesOf = (
  { inbox, repoId, isHolder, matters }: Seat,
  ofUrgency: { readonly isLow: boolean },
): PlaceOrder<InboxPlace>[] => [
  ...(isHolder ? inbox.dutiesOf(repoId, ofUrgency) : []),
  ...(matters === undefined || ofUrgency.isLow ? [] : [matters.order]),
]

/** Undefined where there is nothing of that kind to do about it any more, or for somebody else. */
export function itemAt(
  { inbox, repoId, isHolder, matters }: Seat,
  kind: Duty['kind'],
  name: SubjectName,
): InboxItem | undefined {
  if (name.kind !== 'project') return isHolder ? inbox.item(repoId, kind, name) : undefined
  const duty = inbox.project.project_id === name.id && matters?.duties.find((one) => one.kind === kind)
  return duty ? inbox.itemOnProject(duty) : undefined
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
  readonly #ownKey: () => string
  readonly #projects = new Map<string, ProjectInbox>()
  /** By agent, then by project: the repo it holds there, or claimed in vain, or has to settle. */
  readonly #seats = new Map<string, Map<string, Seat>>()
  /** By the name of a repo, then by project: where nobody holds it yet. */
  readonly #vacancies = new Map<string, Map<string, Seat>>()
  /** By project: in which of these it stands. */
  readonly #noted = new Map<string, readonly Map<string, Seat>[]>()

  /** The key of this daemon: others may go by the names of its agents. */
  constructor(ownKey: () => string) {
    this.#ownKey = ownKey
  }

  /** Takes in one entity as it is in its project. Returns whom it concerns. */
  put({ kind, project_id: projectId, id }: EntityName, found: ProjectView): readonly Touched[] {
    const inbox = this.#inboxOf(projectId)
    const touched = (audiences: readonly Audience[]) => audiences.map((to) => ({ projectId, inbox, to }))
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
      case 'receipt': // what somebody has seen is nothing to do
      case 'other':
        return []
      default:
        return kind satisfies never
    }
  }

  /** By project, in all that are not archived, or in one of them. */
  *seatsOf(looker: Looker, projectId?: string): Iterable<readonly [projectId: string, seat: Seat]> {
    const held = this.#seats.get(looker.agentId)
    const vacant = looker.repoName === null ? undefined : this.#vacancies.get(looker.repoName)
    for (const entry of entriesOf(held, projectId)) if (entry[1].inbox.isListed) yield entry
    for (const [id, seat] of entriesOf(vacant, projectId))
      if (held?.has(id) !== true && seat.inbox.isListed && !seat.inbox.hasLeft(seat.repoId, looker.agentId))
        yield [id, seat]
  }

  #inboxOf(projectId: string): ProjectInbox {
    const known = this.#projects.get(projectId)
    if (known !== undefined) return known
    const created = new ProjectInbox(projectId, this.#ownKey)
    this.#projects.set(projectId, created)
    return created
  }

  #seat(projectId: string, inbox: ProjectInbox): void {
    for (const seats of this.#noted.get(projectId) ?? []) seats.delete(projectId)
    const noted: Map<string, Seat>[] = []
    const note = (table: Map<string, Map<string, Seat>>, key: string, seat: Seat) => {
      const seats = table.get(key) ?? new Map<string, Seat>()
      table.set(key, seats.set(projectId, seat))
      noted.push(seats)
    }
    const matters = inbox.matters()
    for (const [agentId, repoId] of inbox.holders())
      note(this.#seats, agentId, {
        inbox,
        repoId,
        isHolder: true,
        ...withMatters(inbox, matters.get(agentId)),
      })
    for (const [agentId, { repoId, duties }] of matters)
      if (this.#seats.get(agentId)?.has(projectId) !== true)
        note(this.#seats, agentId, { inbox, repoId, isHolder: false, ...withMatters(inbox, { duties }) })
    for (const { name, repoId, duty } of inbox.vacancies())
      note(this.#vacancies, name, {
        inbox,
        repoId,
        isHolder: false,
        ...withMatters(inbox, { duties: [duty] }),
      })
    this.#noted.set(projectId, noted)
  }
}

function withMatters(
  inbox: ProjectInbox,
  { duties }: { readonly duties: readonly Duty[] } = { duties: [] },
): Pick<Seat, 'matters'> {
  if (duties.length === 0) return {}
  const { project_id: id } = inbox.project
  const order = new PlaceOrder<InboxPlace>()
  for (const { kind: what, since } of duties)
    order.add({ inbox, subject: { kind: 'project', id }, what, since, id: `${what} ${id}` })
  return { matters: { duties, order } }
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
