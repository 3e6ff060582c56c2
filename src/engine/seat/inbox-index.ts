import type { Change } from '../../domain/change.ts'
import type { Caller } from '../../domain/env.ts'
import type { Audience, Duty } from '../../domain/inbox.ts'
import type { InboxItem } from '../../domain/inbox-item.ts'
import { PlaceOrder } from './place-order.ts'
import { type InboxPlace, ProjectInbox, type SubjectName } from './project-inbox.ts'

/** A repo that an agent holds, or would like to, with what concerns it. */
export interface Seat {
  readonly inbox: ProjectInbox
  readonly repoId: string
  /** Of whoever does not hold it: what there is to do about that, and nothing else. */
  readonly outside?: { readonly duty: Duty; readonly order: PlaceOrder<InboxPlace> }
}

/** In whose name somebody looks. */
export type Looker = Pick<Caller, 'agentId' | 'repoName'>

export const dutiesOf = ({ inbox, repoId, outside }: Seat): Iterable<PlaceOrder<InboxPlace>> =>
  outside === undefined ? inbox.dutiesOf(repoId) : [outside.order]

/** Undefined where there is nothing of that kind to do about it any more, or for somebody else. */
export function itemAt(
  { inbox, repoId, outside }: Seat,
  kind: Duty['kind'],
  name: SubjectName,
): InboxItem | undefined {
  if (outside === undefined) return inbox.item(repoId, kind, name)
  const isThis = outside.duty.kind === kind && inbox.project.project_id === name.id
  return isThis ? inbox.itemOutside(outside.duty) : undefined
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
  /** By agent, then by project: the repo it holds there, or claimed too late. */
  readonly #seats = new Map<string, Map<string, Seat>>()
  /** By the name of a repo, then by project: where nobody holds it yet. */
  readonly #vacancies = new Map<string, Map<string, Seat>>()
  /** By project: in which of these it stands. */
  readonly #noted = new Map<string, readonly Map<string, Seat>[]>()

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
    const created = new ProjectInbox()
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
    for (const [agentId, repoId] of inbox.holders()) note(this.#seats, agentId, { inbox, repoId })
    for (const [agentId, { repoId, duty }] of inbox.losers())
      note(this.#seats, agentId, { inbox, repoId, outside: outsideWith(inbox, projectId, duty) })
    for (const { name, repoId, duty } of inbox.vacancies())
      note(this.#vacancies, name, { inbox, repoId, outside: outsideWith(inbox, projectId, duty) })
    this.#noted.set(projectId, noted)
  }
}

function outsideWith(inbox: ProjectInbox, projectId: string, duty: Duty): Required<Seat>['outside'] {
  const { kind: what, since } = duty
  const order = new PlaceOrder<InboxPlace>()
  order.add({ inbox, subject: { kind: 'project', id: projectId }, what, since, id: `${what} ${projectId}` })
  return { duty, order }
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
