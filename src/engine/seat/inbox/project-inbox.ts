import { turnsOfContract } from '../../../domain/contract/turns.ts'
import {
  type Audience,
  audienceKey,
  type Duty,
  isAmong,
  type Turns,
  turnsOfMessage,
  turnsOfQuestion,
} from '../../../domain/inbox/inbox.ts'
import {
  type InboxItem,
  type Naming,
  type Subject,
  tellItem,
  tellWait,
  type WaitingItem,
} from '../../../domain/inbox/item.ts'
import { hasLeft, vacancyIn } from '../../../domain/repo/left-repos.ts'
import { dutyOfLoser, type LostClaim, lostClaims, rivalryIn } from '../../../domain/repo/lost-claim.ts'
import type {
  ClaimEntity,
  ContractEntity,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
} from '../../../domain/views/entities.ts'
import { compareText } from '../../../protocol/json/canonical.ts'
import { Conversations } from '../conversations.ts'
import { Messages } from './messages.ts'
import { type Place, PlaceOrder } from './place-order.ts'

/** Names a contract, a question or a message of a project, or the project itself. */
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

/** Things to do of one audience and one urgency, or to wait for. */
interface Group {
  readonly key: string
  readonly to: Audience
  readonly isLow: boolean
  readonly order: PlaceOrder<InboxPlace>
}

/** What the repos of one project have to do, and what they wait for, in order, kept up to date entity by entity. */
export class ProjectInbox implements Naming {
  readonly #id: string
  readonly #ownKey: () => string
  #project: ProjectEntity | undefined
  readonly #repos = new Map<string, RepoEntity>()
  /** Those about which there is something to do. */
  readonly #contracts = new Map<string, ContractEntity>()
  /** The names of all, and of those in force. */
  readonly #contractNames = new Map<string, string>()
  readonly #inForce = new Set<string>()
  readonly #conversations = new Conversations()
  readonly #messages = new Messages()
  /** Duties, by whom they concern, and whether that is of low urgency. */
  readonly #duties = new Map<string, Group>()
  /** By the repo that waits. */
  readonly #waits = new Map<string, Group>()
  /** By subject: where it stands now. */
  readonly #standing = new Map<string, readonly { readonly group: Group; readonly place: InboxPlace }[]>()

  /** The key of this daemon: others may go by the names of its agents. */
  constructor(id: string, ownKey: () => string = () => '') {
    this.#id = id
    this.#ownKey = ownKey
  }

  /** The project may be told of after its parts. */
  get isListed(): boolean {
    return this.#project !== undefined && !this.#project.archived
  }

  get project(): ProjectEntity {
    if (this.#project === undefined) throw new TypeError('this project was not told of yet')
    return this.#project
  }

  readonly repoName = (repoId: string): string => this.#repos.get(repoId)?.name ?? repoId

  readonly missing = (contractIds: readonly string[]): string[] =>
    contractIds.filter((id) => !this.#inForce.has(id)).map((id) => this.#contractNames.get(id) ?? id)

  /** The repo that each agent holds: where it holds several, the first by name. */
  holders(): Map<string, string> {
    const held = new Map<string, string>()
    if (this.#project === undefined) return held
    for (const { repo_id, holder } of this.#byName())
      if (holder !== undefined && !held.has(holder.agent_id)) held.set(holder.agent_id, repo_id)
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

  /**
   * By agent, what there is to do about who holds what: of those that claimed a repo in vain and hold no other, and of
   * those who can settle whose it is. Of several repos, it is the first by name.
   */
  matters(): Map<string, { readonly repoId: string; readonly duties: readonly Duty[] }> {
    const found = new Map<string, { readonly repoId: string; readonly duties: Duty[] }>()
    if (this.#project === undefined) return found
    const note = (agentId: string, repoId: string, duty: Duty) => {
      const known = found.get(agentId) ?? { repoId, duties: [] }
      if (!known.duties.some(({ kind }) => kind === duty.kind)) known.duties.push(duty)
      found.set(agentId, known)
    }
    const holding = new Set(this.#byName().flatMap(({ holder }) => (holder ? speakerOf(holder) : [])))
    for (const repo of this.#byName()) {
      const { repo_id } = repo
      for (const claim of lostClaims(repo))
        if (!holding.has(speakerOf(claim.lost)) && !this.#isNamesakes(claim))
          note(claim.lost.agent_id, repo_id, dutyOfLoser(repo, claim))
      const rivalry = rivalryIn(repo, this.#project)
      for (const agentId of rivalry?.toAgents ?? []) if (rivalry) note(agentId, repo_id, rivalry.duty)
    }
    return found
  }

  /** Whether the agent held that repo once, and gave it back. */
  hasLeft(repoId: string, agentId: string): boolean {
    const repo = this.#repos.get(repoId)
    return repo !== undefined && hasLeft(repo, agentId)
  }

  putProject(project: ProjectEntity): void {
    this.#project = project
  }

  /** Those that follow are told undefined of what is not there any more. */
  putRepo(id: string, repo: RepoEntity | undefined): void {
    const isOther = this.#repos.has(id) !== (repo !== undefined)
    if (repo === undefined) this.#repos.delete(id)
    else this.#repos.set(id, repo)
    // What it said before anybody named it counts from now on, or does not any more.
    if (isOther) for (const questionId of this.#conversations.questionsWith(id)) this.#standPacket(questionId)
  }

  /** And they return whom it concerns, now or before. */
  putContract(id: string, contract: ContractEntity | undefined): readonly Audience[] {
    if (contract === undefined) this.#contractNames.delete(id)
    else this.#contractNames.set(id, contract.name)
    if (contract?.in_force === undefined) this.#inForce.delete(id)
    else this.#inForce.add(id)
    const turns = contract === undefined ? NOBODYS : turnsOfContract(contract)
    const touched = this.#stand({ kind: 'contract', id }, turns)
    if (contract !== undefined && this.#standing.has(standingKey({ kind: 'contract', id })))
      this.#contracts.set(id, contract)
    else this.#contracts.delete(id)
    return touched
  }

  putPacket(id: string, packet: PacketEntity | undefined): readonly Audience[] {
    const questions = packet === undefined ? this.#conversations.remove(id) : this.#conversations.put(packet)
    const messages = this.#messages.put(id, packet, this.#id)
    return [...new Set([...questions, ...messages])].flatMap((packetId) => this.#standPacket(packetId))
  }

  *dutiesOf(repoId: string, ofUrgency: { readonly isLow: boolean }): Iterable<PlaceOrder<InboxPlace>> {
    for (const { to, isLow, order } of this.#duties.values())
      if (isLow === ofUrgency.isLow && isAmong(repoId, to)) yield order
  }

  waitsOf(repoId: string): PlaceOrder<InboxPlace> | undefined {
    return this.#waits.get(audienceKey({ only: repoId }))?.order
  }

  concerns(repoId: string, to: Audience): boolean {
    return isAmong(repoId, to)
  }

  /** Undefined where there is nothing of that kind to do about it any more, or for somebody else. */
  item(repoId: string, kind: Duty['kind'], name: SubjectName): InboxItem | undefined {
    const known = this.#subject(name)
    const duty = known?.turns.duties.find((one) => one.kind === kind && isAmong(repoId, one.to))
    return known && duty && tellItem(duty, known.subject, this)
  }

  /** Undefined also where there is no other repo to wait for. */
  waiting(repoId: string, name: SubjectName): WaitingItem | undefined {
    const known = this.#subject(name)
    const wait = known?.turns.waits.find((one) => one.repoId === repoId)
    if (wait?.on.length === 0 && this.#repos.size === 1) return undefined
    return known && wait && tellWait(wait, known.subject, this)
  }

  packet(id: string): PacketEntity | undefined {
    return this.#conversations.packet(id)
  }

  /** About who holds what in the project. */
  itemOnProject(duty: Duty): InboxItem {
    return tellItem(duty, { kind: 'project', value: this.project }, this)
  }

  /** Somebody else goes by the name of whoever holds the repo, and claimed it in vain. */
  #isNamesakes({ lost, holder }: LostClaim): boolean {
    return lost.agent_id === holder?.agent_id && lost.speaks_by.key !== this.#ownKey()
  }

  #byName(): RepoEntity[] {
    return [...this.#repos.values()].sort((a, b) => compareText(a.name, b.name))
  }

  #subject({ kind, id }: SubjectName): { subject: Subject; turns: Turns } | undefined {
    if (kind === 'contract') {
      const value = this.#contracts.get(id)
      return value && { subject: { kind, value }, turns: turnsOfContract(value) }
    }
    return kind === 'packet' ? this.#packet(id) : undefined
  }

  #standPacket(id: string): readonly Audience[] {
    return this.#stand({ kind: 'packet', id }, this.#packet(id)?.turns ?? NOBODYS)
  }

  /** A question, with what the repos of this project said about it, or a message. */
  #packet(id: string): { subject: Subject; turns: Turns } | undefined {
    const found = this.#conversations.get(id, this.#repos.keys())
    if (found !== undefined) {
      const { question, talk } = found
      return { subject: { kind: 'packet', value: question }, turns: turnsOfQuestion(question, talk) }
    }
    const message = this.#messages.get(id, this.#id)
    if (message === undefined) return undefined
    const { packet, to } = message
    return { subject: { kind: 'packet', value: packet }, turns: turnsOfMessage(packet, to) }
  }

  #stand(name: SubjectName, { duties, waits }: Turns): readonly Audience[] {
    const key = standingKey(name)
    const before = this.#standing.get(key) ?? []
    for (const { group, place } of before) group.order.remove(place)
    const entries = [
      ...duties.map(({ kind, to, since, urgency }) => ({
        group: groupOf(this.#duties, to, { isLow: urgency === 'low' }),
        place: { inbox: this, subject: name, what: kind, since, id: `${kind} ${name.id}` },
      })),
      ...waits.map(({ repoId, since }) => ({
        group: groupOf(this.#waits, { only: repoId }),
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
  #tidy({ key, order }: Group): void {
    if (order.size === 0 && this.#duties.get(key)?.order === order) this.#duties.delete(key)
  }
}

/** Two daemons may go by the same name. */
const speakerOf = ({ agent_id, speaks_by }: ClaimEntity): string => `${speaks_by.key} ${agent_id}`

const NOBODYS: Turns = { duties: [], waits: [] }

const standingKey = ({ kind, id }: SubjectName): string => `${kind} ${id}`

function groupOf(groups: Map<string, Group>, to: Audience, { isLow } = { isLow: false }): Group {
  const key = isLow ? `low ${audienceKey(to)}` : audienceKey(to)
  const known = groups.get(key)
  if (known !== undefined) return known
  const created: Group = { key, to, isLow, order: new PlaceOrder() }
  groups.set(key, created)
  return created
}
