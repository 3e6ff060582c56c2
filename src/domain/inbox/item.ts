import { defined } from '../../protocol/collections/defined.ts'
import { compareText, hashOf } from '../../protocol/json/canonical.ts'
import { isPacketInEffect, messageIn } from '../context/message.ts'
import { whatIsAsked } from '../context/question.ts'
import { describeDiff } from '../contract/json-diff.ts'
import { findingsFrom, objectionsTo, partialsOf } from '../contract/objection.ts'
import { partiesBetween } from '../contract/parties.ts'
import type { NamedEntity } from '../entity.ts'
import { cutAt, plainJson, quoted } from '../names/quoted.ts'
import type { ContractEntity, PacketEntity, ProjectEntity, VerificationEntity } from '../views/entities.ts'
import { type Duty, ITEM_KINDS, type ItemKind, newestAnswer, SUBJECT_KINDS, type Wait } from './inbox.ts'
import type { About, Change, InboxItem, WaitingItem } from './item-shape.ts'
import { ITEM_TEXTS } from './item-text.ts'

/** The entity that a duty is about. */
export type Subject = Exclude<NamedEntity, { readonly kind: 'repo' }>

export interface Naming {
  readonly project: ProjectEntity
  readonly repoName: (repoId: string) => string
  /** The names of those contracts that are not in force. */
  readonly missing: (contractIds: readonly string[]) => readonly string[]
  readonly packet: (id: string) => PacketEntity | undefined
}

const REPO_NAME_LENGTH = 60
/** Most characters of a message; its packet has the rest. */
const MESSAGE_LENGTH = 2000
/** Most characters of a message that is used as a name. */
const NAME_LENGTH = 200
const STATE_DIGITS = 16
const MOST_REPOS_NAMED = 20

export const itemId = (kind: ItemKind, projectId: string, id: string): string => `${kind}:${projectId}:${id}`

/** The possible readings of an item id: ids of projects and their parts may contain colons. */
export function* readItemId(text: string): Iterable<{ kind: ItemKind; projectId: string; id: string }> {
  const kind = ITEM_KINDS.find((one) => text.startsWith(`${one}:`))
  if (kind === undefined) return
  const rest = text.slice(kind.length + 1)
  for (let cut = rest.indexOf(':'); cut >= 0; cut = rest.indexOf(':', cut + 1))
    yield { kind, projectId: rest.slice(0, cut), id: rest.slice(cut + 1) }
}

export const subjectKind = (kind: ItemKind): Subject['kind'] => SUBJECT_KINDS[kind]

/** What the sentence and the call of an item are made from. */
export type ItemTextInput = ReturnType<typeof textInputOf>

function textInputOf(duty: Duty, subject: Subject, naming: Naming) {
  const { project, repoName } = naming
  const { project_id: projectId, created_by: founder } = project
  const about = aboutDuty(duty, subject)
  const contract = subject.kind === 'contract' ? subject.value : undefined
  const only = 'only' in duty.to ? duty.to.only : undefined
  /** The repo that caused the duty. */
  const repo = repoName(duty.by.repoId)
  return {
    itemId: itemId(duty.kind, projectId, about.id),
    projectId,
    about,
    repo,
    from: `${duty.by.byPerson ? 'a person at ' : ''}${quoted(repo, REPO_NAME_LENGTH)}`,
    duty,
    founder,
    /** Whether the repo that has to answer has answered without agreeing. */
    isObjecting: contract?.objections.some((objector) => objector === only) === true,
    /** Where another version than the one in force is proposed. */
    change: contract && IS_ON_HEAD.has(duty.kind) ? changeOf(contract, repoName) : undefined,
    /** Whether the proposal is to retire the contract. */
    isEnd: contract?.head.retire === true,
    /** Whether the repo that has to answer wrote the version itself, and no other repo has to answer. */
    isAlone: contract !== undefined && only === duty.by.repoId,
    options: optionsOf(subject),
    reply: duty.kind === 'accept_answer' ? replyIn(naming.packet(newestAnswer(duty))) : '',
    missing: missingFor(duty, subject, naming),
  }
}

export function inboxItemOf(duty: Duty, subject: Subject, naming: Naming): InboxItem {
  const input = textInputOf(duty, subject, naming)
  const { itemId: id, projectId, about, repo, change, missing } = input
  const { why, next } = ITEM_TEXTS[duty.kind](input)
  const { repoId, ...by } = duty.by
  return {
    id,
    kind: duty.kind,
    projectId,
    projectName: naming.project.name,
    about,
    from: { repo, ...by },
    why: why.replace(/^a person/, 'A person'),
    ...saidByOthers(duty, subject, naming),
    ...(missing.length === 0 ? {} : { missing }),
    ...defined({ change }),
    since: duty.since,
    ...defined({ urgency: duty.urgency }),
    state: hashOf([duty.since, ...duty.basis, ...missing]).slice(0, STATE_DIGITS),
    next,
  }
}

/** Implementation duties are about the version in force, the others about the head. */
function aboutDuty({ kind }: Duty, subject: Subject): About {
  const about = aboutOf(subject)
  if (subject.kind !== 'contract' || IS_ON_HEAD.has(kind) || kind === 'resolve_conflict') return about
  return { ...about, version: (subject.value.in_force?.revision ?? subject.value.head).version }
}

/** Contracts that have to be in force before work can start. */
function missingFor({ kind }: Duty, subject: Subject, { missing }: Naming): readonly string[] {
  if (subject.kind !== 'contract' || kind !== 'start_implementation') return []
  return missing(subject.value.in_force?.revision.depends_on ?? []).slice(0, MOST_REPOS_NAMED)
}

/** Duties about the proposed version, whatever is in force. */
const IS_ON_HEAD: ReadonlySet<ItemKind> = new Set(['answer_contract', 'revise_contract'])

function changeOf({ in_force, head }: ContractEntity, repoName: Naming['repoName']): Change | undefined {
  if (in_force === undefined || in_force.revision.id === head.id) return undefined
  const { version, content } = in_force.revision
  const { added, removed } = partiesBetween(in_force.revision, head, repoName)
  const parties = [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)].slice(
    0,
    MOST_REPOS_NAMED,
  )
  return {
    from: version,
    fields: describeDiff(content ?? {}, head.content ?? {}),
    ...(parties.length === 0 ? {} : { parties: parties.join(' ') }),
  }
}

type SaidByOthers = Pick<InboxItem, 'objections' | 'findings' | 'message'>

function saidByOthers({ kind, to }: Duty, subject: Subject, naming: Naming): SaidByOthers {
  if (subject.kind === 'packet' && kind === 'read_message') return messageOf(subject.value)
  if (subject.kind !== 'contract') return {}
  const { value } = subject
  if (kind === 'revise_contract') return { objections: objectionsTo(value, naming) }
  if (kind === 'answer_contract') {
    const objections = objectionsTo(value, naming, (repoId) => !('only' in to) || repoId !== to.only)
    return objections.length === 0 ? {} : { objections }
  }
  if (kind === 'verify_contract') return findings(partialsOf(value))
  const own = value.works.find(({ repo_id }) => 'only' in to && to.only === repo_id)
  return kind === 'revise_implementation' && own !== undefined ? findings(own.failures) : {}

  function findings(found: readonly VerificationEntity[]): Pick<InboxItem, 'findings'> {
    return found.length === 0 ? {} : { findings: findingsFrom(found, naming.repoName) }
  }
}

function messageOf(packet: PacketEntity): Pick<InboxItem, 'message'> {
  const message = messageIn(packet)
  return message === undefined ? {} : { message: cutAt(message, MESSAGE_LENGTH) }
}

export function waitingItemOf(
  { on, to, since }: Wait,
  subject: Subject,
  { project, repoName }: Naming,
): WaitingItem {
  return {
    projectId: project.project_id,
    about: aboutOf(subject),
    repos: namesOf(on, repoName),
    for: to,
    ...objectorsOf(subject, repoName),
    since,
  }
}

function objectorsOf(subject: Subject, repoName: Naming['repoName']): Pick<WaitingItem, 'objectedBy'> {
  const objectors = subject.kind === 'contract' ? subject.value.objections : []
  return objectors.length === 0 ? {} : { objectedBy: namesOf(objectors, repoName) }
}

const namesOf = (repoIds: readonly string[], repoName: Naming['repoName']): string[] =>
  repoIds.map(repoName).sort(compareText).slice(0, MOST_REPOS_NAMED)

/** The text of a reply: its answer or message, otherwise all of its content. */
function replyIn(packet: PacketEntity | undefined): string {
  const { answer, message, ...others } = (packet && isPacketInEffect(packet) && packet.content) || {}
  const words = [answer, message].find((one) => typeof one === 'string')
  if (typeof words === 'string') return words
  return Object.keys(others).length === 0 ? '' : plainJson(packet?.content)
}

function optionsOf({ kind, value }: Subject): readonly string[] {
  const options = kind === 'packet' ? value.content?.['options'] : undefined
  return Array.isArray(options) ? options.filter((one) => typeof one === 'string') : []
}

function aboutOf({ kind, value }: Subject): About {
  if (kind === 'project') return { kind, id: value.project_id, name: value.name }
  if (kind === 'contract')
    return { kind, id: value.contract_id, name: value.name, version: value.head.version }
  return { kind, id: value.packet_id, name: whatIsAsked(value) ?? messageName(value) ?? value.type }
}

function messageName(packet: PacketEntity): string | undefined {
  const message = messageIn(packet) ?? ''
  if (message.length > NAME_LENGTH) return `${cutAt(message, NAME_LENGTH - 1)}…`
  return message === '' ? undefined : message
}
