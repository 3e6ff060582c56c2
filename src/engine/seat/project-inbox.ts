import { turnsOfContract } from '../../domain/contract-turns.ts'
import {
  type Audience,
  audienceKey,
  type Duty,
  isAmong,
  type Turns,
  turnsOfQuestion,
} from '../../domain/inbox.ts'
import {
  type InboxItem,
  type Naming,
  type Subject,
  tellItem,
  tellWait,
  type WaitingItem,
} from '../../domain/inbox-item.ts'
import { dutyOfLoser, lostClaims } from '../../domain/lost-claim.ts'
import type { Contract, Packet, Project, Repo } from '../../domain/model.ts'
import { activeClaim } from '../../domain/repo.ts'
import { hasLeft, vacancyIn } from '../../domain/vacancy.ts'
import { compareText } from '../../protocol/canonical.ts'
import { type Conversation, Conversations } from './conversations.ts'
import { type Place, PlaceOrder } from './place-order.ts'

/** Names a contract or a question of a project, or the project itself. */
export interface SubjectName {
  readonly kind: Subject['kind']
  readonly id: string
}

/** Something to do or to wait for, as short as it can be kept: what it says is told again from its subject. */
export interface InboxPlace extends Place {
  readonly inbox: ProjectInbox
  readonly subject: SubjectName
  readonly what: Duty['kind'] | 'wait'
}

interface Group {
  readonly to: Audience
  readonly order: PlaceOrder<InboxPlace>
}

/** What the repos of one project have to do, and what they wait for, in order, kept up to date entity by entity. */
export class ProjectInbox implements Naming {
  #project: Project | undefined
  readonly #repos = new Map<string, Repo>()
  /** Those about which there is something to do. */
  readonly #contracts = new Map<string, Contract>()
  readonly #conversations = new Conversations()
  /** Duties, by whom they concern. */
  readonly #duties = new Map<string, Group>()
  /** By the repo that waits. */
  readonly #waits = new Map<string, Group>()
  /** By subject: where it stands now. */
  readonly #standing = new Map<string, readonly { readonly group: Group; readonly place: InboxPlace }[]>()

  /** The project may be told of after its parts. */
  get isListed(): boolean {
    return this.#project !== undefined && !this.#project.archived.value
  }

  get project(): Project {
    if (this.#project === undefined) throw new TypeError('this project was not told of yet')
    return this.#project
  }

  readonly repoName = (repoId: string): string => this.#repos.get(repoId)?.name ?? repoId

  /** The repo that each agent holds: where it holds several, the first by name. */
  holders(): Map<string, string> {
    const held = new Map<string, string>()
    const project = this.#project
    if (project === undefined) return held
    for (const repo of this.#byName()) {
      const agentId = activeClaim(repo, project)?.agent_id
      if (agentId !== undefined && !held.has(agentId)) held.set(agentId, repo.repo_id)
    }
    return held
  }

  /** The repos that nobody holds. */
  *vacancies(): Iterable<{ readonly name: string; readonly repoId: string; readonly duty: Duty }> {
    if (this.#project === undefined) return
    const holders = this.holders()
    for (const repo of this.#repos.values()) {
      const duty = vacancyIn(this.#project, repo, holders)
      if (duty !== undefined) yield { name: repo.name, repoId: repo.repo_id, duty }
    }
  }

  /** Agents that hold no repo because somebody else claimed theirs earlier: of several repos, the first by name. */
  losers(): Map<string, { readonly repoId: string; readonly duty: Duty }> {
    const lost = new Map<string, { readonly repoId: string; readonly duty: Duty }>()
    if (this.#project === undefined) return lost
    const holders = this.holders()
    for (const repo of this.#byName())
      for (const [agentId, claim] of lostClaims(repo, this.#project))
        if (!holders.has(agentId) && !lost.has(agentId))
          lost.set(agentId, { repoId: repo.repo_id, duty: dutyOfLoser(repo, claim) })
    return lost
  }

  /** Whether the agent held that repo once, and gave it back. */
  hasLeft(repoId: string, agentId: string): boolean {
    const repo = this.#repos.get(repoId)
    return repo !== undefined && hasLeft(repo, agentId)
  }

  putProject(project: Project): void {
    this.#project = project
  }

  putRepo(repo: Repo): void {
    const isNew = !this.#repos.has(repo.repo_id)
    this.#repos.set(repo.repo_id, repo)
    // What it said before anybody named it counts from now on.
    if (isNew) for (const id of this.#conversations.questionsWith(repo.repo_id)) this.#standQuestion(id)
  }

  /** Those that follow return whom it concerns, now or before. */
  putContract(contract: Contract): readonly Audience[] {
    this.#contracts.set(contract.contract_id, contract)
    const touched = this.#stand({ kind: 'contract', id: contract.contract_id }, turnsOfContract(contract))
    if (!this.#standing.has(standingKey({ kind: 'contract', id: contract.contract_id })))
      this.#contracts.delete(contract.contract_id)
    return touched
  }

  putPacket(packet: Packet): readonly Audience[] {
    return [...this.#conversations.put(packet)].flatMap((id) => this.#standQuestion(id))
  }

  *dutiesOf(repoId: string): Iterable<PlaceOrder<InboxPlace>> {
    for (const { to, order } of this.#duties.values()) if (isAmong(repoId, to, this.#repos.size)) yield order
  }

  waitsOf(repoId: string): PlaceOrder<InboxPlace> | undefined {
    return this.#waits.get(repoId)?.order
  }

  concerns(repoId: string, to: Audience): boolean {
    return isAmong(repoId, to, this.#repos.size)
  }

  /** Undefined where there is nothing of that kind to do about it any more, or for somebody else. */
  item(repoId: string, kind: Duty['kind'], name: SubjectName): InboxItem | undefined {
    const known = this.#subject(name)
    const duty = known?.turns.duties.find(
      (one) => one.kind === kind && isAmong(repoId, one.to, this.#repos.size),
    )
    return known && duty && tellItem(duty, known.subject, this)
  }

  /** Undefined also where there is no other repo to wait for. */
  waiting(repoId: string, name: SubjectName): WaitingItem | undefined {
    const known = this.#subject(name)
    const wait = known?.turns.waits.find((one) => one.repoId === repoId)
    if (wait?.on.length === 0 && this.#repos.size === 1) return undefined
    return known && wait && tellWait(wait, known.subject, this)
  }

  /** Of those who hold no repo: it is about the project itself. */
  itemOutside(duty: Duty): InboxItem {
    return tellItem(duty, { kind: 'project', value: this.project }, this)
  }

  #byName(): Repo[] {
    return [...this.#repos.values()].sort((a, b) => compareText(a.name, b.name))
  }

  #subject({ kind, id }: SubjectName): { subject: Subject; turns: Turns } | undefined {
    if (kind === 'contract') {
      const value = this.#contracts.get(id)
      return value && { subject: { kind, value }, turns: turnsOfContract(value) }
    }
    const found = kind === 'packet' ? this.#conversationOn(id) : undefined
    return (
      found && {
        subject: { kind: 'packet', value: found.question },
        turns: turnsOfQuestion(found.question, found.talk),
      }
    )
  }

  #standQuestion(id: string): readonly Audience[] {
    const found = this.#conversationOn(id)
    return this.#stand(
      { kind: 'packet', id },
      found === undefined ? { duties: [], waits: [] } : turnsOfQuestion(found.question, found.talk),
    )
  }

  /** Of what was said about a question, what the repos of this project said. */
  #conversationOn(id: string): Conversation | undefined {
    return this.#conversations.get(id, this.#repos.keys())
  }

  #stand(name: SubjectName, { duties, waits }: Turns): readonly Audience[] {
    const key = standingKey(name)
    const before = this.#standing.get(key) ?? []
    for (const { group, place } of before) group.order.remove(place)
    const entries = [
      ...duties.map(({ kind, to, since }) => ({
        group: groupOf(this.#duties, audienceKey(to), to),
        place: { inbox: this, subject: name, what: kind, since, id: `${kind} ${name.id}` },
      })),
      ...waits.map(({ repoId, since }) => ({
        group: groupOf(this.#waits, repoId, { only: repoId }),
        place: { inbox: this, subject: name, what: 'wait' as const, since, id: `wait ${name.id}` },
      })),
    ]
    for (const { group, place } of entries) group.order.add(place)
    if (entries.length > 0) this.#standing.set(key, entries)
    else this.#standing.delete(key)
    for (const { group } of before) this.#tidy(group)
    return [...before, ...entries].map(({ group }) => group.to)
  }

  /** Audiences come and go with what is said; those whom nothing concerns any more are not kept. */
  #tidy({ to, order }: Group): void {
    if (order.size === 0 && this.#duties.get(audienceKey(to))?.order === order)
      this.#duties.delete(audienceKey(to))
  }
}

const standingKey = ({ kind, id }: SubjectName): string => `${kind} ${id}`

function groupOf(groups: Map<string, Group>, key: string, to: Audience): Group {
  const known = groups.get(key)
  if (known !== undefined) return known
  const created: Group = { to, order: new PlaceOrder() }
  groups.set(key, created)
  return created
}
