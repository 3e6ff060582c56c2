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
import { inboxItemOf, type Naming, type Subject, waitingItemOf } from '../../../domain/inbox/item.ts'
import type { InboxItem, WaitingItem } from '../../../domain/inbox/item-shape.ts'
import {
  hasLeft,
  type LostClaim,
  lostClaimDuty,
  lostClaims,
  rivalClaimsDuty,
  unheldRepoDuty,
} from '../../../domain/repo/lost-claim.ts'
import type {
  ClaimEntity,
  ContractEntity,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
} from '../../../domain/views/entities.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { compareText } from '../../../protocol/json/canonical.ts'
import { Conversations } from '../conversations.ts'
import { SortedEntries, type SortKey } from '../sorted-entries.ts'
import { Messages } from './messages.ts'

/** Names a contract, a question or a message of a project, or the project itself. */
export interface SubjectName {
  readonly kind: Subject['kind']
  readonly id: string
}

/** An entry of an inbox: something to do or to wait for. Its text is not stored but written anew from its subject. */
export interface InboxEntry extends SortKey {
  readonly inbox: ProjectInbox
  readonly subject: SubjectName
  readonly what: Duty['kind'] | 'wait'
}

/** The entries for one audience and one urgency, or those that one repo waits for. */
interface Group {
  readonly key: string
  readonly to: Audience
  readonly isLow: boolean
  readonly order: SortedEntries<InboxEntry>
}

/** What the repos of one project have to do and wait for, in order, kept up to date entity by entity. */
export class ProjectInbox implements Naming {
  readonly #id: string
  readonly #ownKey: () => string
  #project: ProjectEntity | undefined
  readonly #repos = new Map<string, RepoEntity>()
  /** The contracts that have an entry. */
  readonly #contracts = new Map<string, ContractEntity>()
  /** The names of all contracts, and the ids of those in force. */
  readonly #contractNames = new Map<string, string>()
  readonly #inForce = new Set<string>()
  readonly #conversations = new Conversations()
  readonly #messages = new Messages()
  /** Ids of questions that nothing was decided on. */
  readonly #openQuestions = new Set<string>()
  /** Things to do, by audience and by whether they are of low urgency. */
  readonly #duties = new Map<string, Group>()
  /** Things to wait for, by the repo that waits. */
  readonly #waits = new Map<string, Group>()
  /** By subject: its entries. */
  readonly #entries = new Map<string, readonly { readonly group: Group; readonly place: InboxEntry }[]>()

  /** `ownKey` is the key of this daemon: an agent of another daemon may have the same name as one of its agents. */
  constructor(id: string, ownKey: () => string = () => '') {
    this.#id = id
    this.#ownKey = ownKey
  }

  /** False also before the project itself is known: it may come after its parts. */
  get isListed(): boolean {
    return this.#project !== undefined && !this.#project.archived
  }

  get project(): ProjectEntity {
    if (this.#project === undefined) throw new TypeError('this project is not known yet')
    return this.#project
  }

  get openQuestions(): number {
    return this.#openQuestions.size
  }

  readonly repoName = (repoId: string): string => this.#repos.get(repoId)?.name ?? repoId

  readonly missing = (contractIds: readonly string[]): string[] =>
    contractIds.filter((id) => !this.#inForce.has(id)).map((id) => this.#contractNames.get(id) ?? id)

  /** The repo that each agent holds; if it holds several, the first by name. */
  holders(): Map<string, string> {
    const held = new Map<string, string>()
    if (this.#project === undefined) return held
    for (const { repo_id, holder } of this.#byName())
      if (holder !== undefined && !held.has(holder.agent_id)) held.set(holder.agent_id, repo_id)
    return held
  }

  /** The repos that nobody holds, with the item that offers them. */
  *unheldRepos(): Iterable<{ readonly name: string; readonly repoId: string; readonly duty: Duty }> {
    if (this.#project === undefined) return
    const holders = this.holders()
    for (const repo of this.#repos.values()) {
      const duty = unheldRepoDuty(this.#project, repo, holders)
      if (duty !== undefined) yield { name: repo.name, repoId: repo.repo_id, duty }
    }
  }

  /**
   * By agent, the items about who holds which repo: for agents that claimed a repo without success and hold no other,
   * and for those who can settle whose it is. If that concerns several repos, the first by name.
   */
  ownershipItems(): Map<string, { readonly repoId: string; readonly duties: readonly Duty[] }> {
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
          note(claim.lost.agent_id, repo_id, lostClaimDuty(repo, claim))
      const rivalry = rivalClaimsDuty(repo, this.#project)
      for (const agentId of rivalry?.toAgents ?? []) if (rivalry) note(agentId, repo_id, rivalry.duty)
    }
    return found
  }

  /** Whether the agent once held that repo and released it. */
  hasLeft(repoId: string, agentId: string): boolean {
    const repo = this.#repos.get(repoId)
    return repo !== undefined && hasLeft(repo, agentId)
  }

  putProject(project: ProjectEntity): void {
    this.#project = project
  }

  /** `repo` is undefined when it is gone; the same in the methods that follow. */
  putRepo(id: string, repo: RepoEntity | undefined): void {
    const isOther = this.#repos.has(id) !== (repo !== undefined)
    if (repo === undefined) this.#repos.delete(id)
    else this.#repos.set(id, repo)
    // What a repo said counts only while the project has that repo.
    if (isOther) for (const questionId of this.#conversations.questionsWith(id)) this.#enterPacket(questionId)
  }

  /** Returns whom the contract concerns, or concerned before. */
  putContract(id: string, contract: ContractEntity | undefined): readonly Audience[] {
    if (contract === undefined) this.#contractNames.delete(id)
    else this.#contractNames.set(id, contract.name)
    if (contract?.in_force === undefined) this.#inForce.delete(id)
    else this.#inForce.add(id)
    const turns = contract === undefined ? NO_TURNS : turnsOfContract(contract)
    const touched = this.#enter({ kind: 'contract', id }, turns)
    if (contract !== undefined && this.#entries.has(subjectKey({ kind: 'contract', id })))
      this.#contracts.set(id, contract)
    else this.#contracts.delete(id)
    return touched
  }

  putPacket(id: string, packet: PacketEntity | undefined): readonly Audience[] {
    const questions = this.#conversations.put(id, packet)
    const messages = this.#messages.put(id, packet, this.#id)
    return [...new Set([...questions, ...messages])].flatMap((packetId) => this.#enterPacket(packetId))
  }

  *dutiesOf(repoId: string, ofUrgency: { readonly isLow: boolean }): Iterable<SortedEntries<InboxEntry>> {
    for (const { to, isLow, order } of this.#duties.values())
      if (isLow === ofUrgency.isLow && isAmong(repoId, to)) yield order
  }

  waitsOf(repoId: string): SortedEntries<InboxEntry> | undefined {
    return this.#waits.get(audienceKey({ only: repoId }))?.order
  }

  /** Undefined when there is no such item any more, or when it is for somebody else. */
  item(repoId: string, kind: Duty['kind'], name: SubjectName): InboxItem | undefined {
    const known = this.#subject(name)
    const duty = known?.turns.duties.find((one) => one.kind === kind && isAmong(repoId, one.to))
    return known && duty && inboxItemOf(duty, known.subject, this)
  }

  /** Undefined also where there is no other repo to wait for. */
  waiting(repoId: string, name: SubjectName): WaitingItem | undefined {
    const known = this.#subject(name)
    const wait = known?.turns.waits.find((one) => one.repoId === repoId)
    if (wait?.on.length === 0 && this.#repos.size === 1) return undefined
    return known && wait && waitingItemOf(wait, known.subject, this)
  }

  packet(id: string): PacketEntity | undefined {
    return this.#conversations.packet(id)
  }

  /** An item about who holds a repo of the project. */
  itemOnProject(duty: Duty): InboxItem {
    return inboxItemOf(duty, { kind: 'project', value: this.project }, this)
  }

  /** Whether the lost claim is that of an agent of another daemon with the same name as the holder. */
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

  #enterPacket(id: string): readonly Audience[] {
    const turns = this.#packet(id)?.turns ?? NO_TURNS
    if (turns.duties.some(({ kind }) => OF_OPEN_QUESTIONS.has(kind))) this.#openQuestions.add(id)
    else this.#openQuestions.delete(id)
    return this.#enter({ kind: 'packet', id }, turns)
  }

  /** A message, or a question with what the repos of this project said about it. */
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

  #enter(name: SubjectName, { duties, waits }: Turns): readonly Audience[] {
    const key = subjectKey(name)
    const before = this.#entries.get(key) ?? []
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
    if (entries.length > 0) this.#entries.set(key, entries)
    else this.#entries.delete(key)
    for (const { group } of before) this.#tidy(group)
    return [...before, ...entries].map(({ group }) => group.to)
  }

  /** Drops a group without entries, because there can be any number of audiences over time. */
  #tidy({ key, order }: Group): void {
    if (order.size === 0 && this.#duties.get(key)?.order === order) this.#duties.delete(key)
  }
}

/** Agents of two daemons may have the same name, so the key is part of the identity. */
const speakerOf = ({ agent_id, speaks_by }: ClaimEntity): string => `${speaks_by.key} ${agent_id}`

/** Every open question has one of these duties. */
const OF_OPEN_QUESTIONS: ReadonlySet<Duty['kind']> = new Set(['answer_question', 'fulfil_file_request'])

const NO_TURNS: Turns = { duties: [], waits: [] }

const subjectKey = ({ kind, id }: SubjectName): string => `${kind} ${id}`

function groupOf(groups: Map<string, Group>, to: Audience, { isLow } = { isLow: false }): Group {
  const key = isLow ? `low ${audienceKey(to)}` : audienceKey(to)
  return getOrAdd(groups, key, () => ({ key, to, isLow, order: new SortedEntries() }))
}
