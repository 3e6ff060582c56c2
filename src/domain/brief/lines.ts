import { remarksIn } from '../context/decision.ts'
import { isAddressedTo, messageIn } from '../context/message.ts'
import { describeDiff } from '../contract/json-diff.ts'
import { knownRevision, lastEvent } from '../contract/latest-event.ts'
import { repoName, repoNames } from '../contract/next-step.ts'
import type { ItemKind } from '../inbox/inbox.ts'
import { brokenText, withReview } from '../inbox/item-review.ts'
import type { About, InboxItem, WaitingItem } from '../inbox/item-shape.ts'
import { waitsFor } from '../inbox/item-text.ts'
import { repoOfAgent } from '../lookup.ts'
import { listed } from '../names/listed.ts'
import { quoted } from '../names/quoted.ts'
import { plain } from '../search/text.ts'
import { authorLabel, authorOf, holderOf, type Reader } from '../speaking/author.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, PacketEntity, ProjectEntity, RepoEntity } from '../views/entities.ts'

/**
 * The lines of a brief. They state facts in our own words; everything that others wrote, including names of things
 * and fields, is in quotes and follows its author.
 */

/** Most characters of a quoted name, and of any other quoted text. */
const NAME = 80
const QUOTE = 200

const CONTRACT_DUTIES = {
  answer_contract: 'awaits your answer; proposed by',
  revise_contract: 'was not agreed to, and is yours to revise; answered by',
  resolve_conflict: 'is in conflict with what you proposed; also changed by',
  start_implementation: 'is agreed, and you have not started to implement it; moved by',
  complete_implementation: 'is begun, and your part is not complete; started by',
  revise_implementation: 'did not work, and your implementation needs revision; judged by',
  waits_for_me: 'is complete elsewhere, and your part is not; waiting:',
  declare_again: 'has declared files of yours that count as not there; stated by',
  verify_contract: 'is implemented, and not verified yet; last completed by',
  verify_again: 'is to be verified again; changed, or verified without evidence, by',
} as const satisfies Partial<Record<ItemKind, string>>

const PACKET_DUTIES = {
  answer_question: 'asked',
  accept_answer: 'replied, and nothing is decided yet, to your question',
  fulfil_file_request: 'asked for a file:',
  settle_decisions: 'decided otherwise than you on',
  read_message: 'said to you',
} as const satisfies Record<
  Exclude<ItemKind, keyof typeof CONTRACT_DUTIES | 'join_project' | 'claim_lost' | 'settle_claims'>,
  string
>

const isPacketDuty = (kind: ItemKind): kind is keyof typeof PACKET_DUTIES =>
  Object.hasOwn(PACKET_DUTIES, kind)

export const isOwnWork = ({ kind }: InboxItem): boolean => kind === 'complete_implementation'

export const isMessage = ({ kind }: InboxItem): boolean => kind === 'read_message'

export const isAboutQuestion = (item: InboxItem): boolean => isPacketDuty(item.kind) && !isMessage(item)

export function dutyLine(item: InboxItem, reader: Reader): string {
  const { kind, about, message, from, since, next } = item
  const found = reader.view.projects.get(item.projectId)
  const author = authorLabel({ ...from, agentId: from.agentId ?? holderOf(from.repo, found) }, reader)
  const when = `since ${moment(since)}`
  const where = `${next.method}; ${idsOf(item)}`
  if (kind === 'join_project')
    return `- project ${quoted(about.name, NAME)} names your repo, and you have not joined; created by ${author}, ${when} (${where})`
  if (kind === 'claim_lost') {
    const holder = from.agentId === null ? 'nobody, by a settlement' : agentLabel(from.agentId, reader)
    return `- repo ${quoted(from.repo, NAME)} of project ${quoted(about.name, NAME)} is not yours; held by ${holder}, ${when} (${where})`
  }
  if (kind === 'settle_claims')
    return `- repo ${quoted(from.repo, NAME)} of project ${quoted(about.name, NAME)} is claimed by several, and nobody is confirmed; also claimed by ${agentLabel(from.agentId ?? '', reader)}, ${when} (${where})`
  const words = message === undefined ? quoted(about.name, QUOTE) : quoted(message, 2 * QUOTE)
  return isPacketDuty(kind)
    ? `- ${author} ${PACKET_DUTIES[kind]} ${words}, ${when} (${where})`
    : `- ${contractName(about)} ${CONTRACT_DUTIES[kind]} ${saidOf(item, author, reader)}${changeOf(item)}${brokenBy(item, reader)}${waitsFor(item.missing)}, ${when} (${where})`
}

/** The revision in force while another one is under discussion, and what that one would change. */
function changeOf({ change }: InboxItem): string {
  if (change === undefined) return ''
  const fields = change.fields === '' ? '' : `, of which it changes ${quoted(change.fields, QUOTE)}`
  const parties = change.parties === undefined ? '' : `, and parties ${quoted(change.parties, QUOTE)}`
  return `; in force is version ${change.from}${fields}${parties}`
}

/** What a proposed version breaks here; nothing where it hurts nobody here, or where nobody knows. */
function brokenBy(item: InboxItem, { view, env }: Reader): string {
  const found = view.projects.get(item.projectId)
  const repoId = found && repoOfAgent(found, env.caller.agentId)?.repo_id
  if (found === undefined || repoId === undefined) return ''
  const { review } = withReview(item, found, repoId)
  const broken = review && brokenText(review)
  return broken === undefined ? '' : `; breaks you: ${broken}`
}

const agentLabel = (agentId: string, reader: Reader): string =>
  authorLabel({ repo: agentId, agentId }, reader)

/** Most objections and findings in a line. */
const MOST_LISTED = 3

/** The repos that did not agree, each with its comment and suggestion. */
const objectors = ({ objections = [] }: InboxItem, reader: Reader): string =>
  objections
    .slice(0, MOST_LISTED)
    .map(({ comment, suggestedChange, accept, answerId, ...author }) =>
      [
        authorLabel(author, reader),
        comment.trim() === '' ? '' : ` ${quoted(comment, QUOTE)}`,
        suggestedChange === null ? '' : `, suggests ${quoted(suggestedChange, QUOTE)}`,
        accept === undefined ? '' : ` (to accept it: ${accept.method} with acceptSuggestion ${answerId})`,
      ].join(''),
    )
    .join('; ')

/** Who caused the item, with what others say about it. */
function saidOf(item: InboxItem, author: string, reader: Reader): string {
  const found = finders(item, reader)
  if (item.kind === 'verify_contract')
    return found === '' ? author : `${author}; found to work in part by ${found}`
  const objected = objectors(item, reader)
  if (item.kind === 'answer_contract')
    return objected === '' ? author : `${author}; objected to by ${objected}`
  return found || objected || author
}

/** The repos that verified it, each with its findings. */
const finders = ({ findings = [] }: InboxItem, reader: Reader): string =>
  findings
    .slice(0, MOST_LISTED)
    .map(({ notes, details, ...author }) =>
      [
        authorLabel(author, reader),
        notes.trim() === '' ? '' : ` ${quoted(notes, QUOTE)}`,
        details === null ? '' : `, details ${quoted(details, QUOTE)}`,
      ].join(''),
    )
    .join('; ')

const MOST_REPOS_NAMED = 3

export function waitLine(wait: WaitingItem): string {
  const { about, repos, objectedBy = [], since } = wait
  const whom = repos.length === 0 ? 'any other repo' : namesOf(repos)
  const objected = objectedBy.length === 0 ? '' : `, objected to by ${namesOf(objectedBy)}`
  const whose = wait.for === 'decide the same' ? '' : 'your '
  const what =
    about.kind === 'contract' ? contractName(about) : `${whose}question ${quoted(about.name, QUOTE)}`
  return `- ${what} waits for ${whom} to ${wait.for}${objected}, since ${moment(since)} (${idsOf(wait)})`
}

const namesOf = (repos: readonly string[]): string =>
  listed(
    repos.map((repo) => quoted(repo, NAME)),
    MOST_REPOS_NAMED,
  )

/**
 * A contract that changed: status before and now, the last event with its author, and the fields that differ from the
 * revision that the reader knows.
 */
export function contractLine(contract: ContractEntity, found: ProjectView, reader: Reader): string {
  const { head } = contract
  const { value, did, note } = lastEvent(contract)
  const known = knownRevision(contract, repoOfAgent(found, reader.env.caller.agentId)?.repo_id)
  const version = known === undefined || known.version === head.version ? '' : `${known.version}→`
  const fields = known === undefined ? '' : describeDiff(known.content ?? {}, head.content ?? {})
  const conflicts = contract.conflicts.length
  return [
    `- contract ${quoted(contract.name, NAME)} version ${version}${head.version}, `,
    arrow(contract.before?.status, contract.status),
    conflicts === 0 ? '' : `, ${conflicts} in conflict`,
    `: ${did} by ${authorLabel(authorOf(value, found), reader)}`,
    note.trim() === '' ? '' : ` ${quoted(note, QUOTE)}`,
    fields === '' ? '' : `; fields ${quoted(fields, QUOTE)}`,
    ` (${idsOf(named(found, contract))})`,
  ].join('')
}

const OBJECTIVE_LENGTH = 300
const MOST_REPOS = 8

/** Introduces a project to a newcomer. */
export function projectLine(found: ProjectView, reader: Reader): string {
  const { name, objective } = found.project
  const repos = Array.from(found.repos.oldestFirst(), (repo) => repoLabel(repo, found, reader))
  return [
    `- project ${quoted(name, NAME)}`,
    objective.trim() === '' ? '' : `, objective ${quoted(objective, OBJECTIVE_LENGTH)}`,
    repos.length === 0 ? '' : `; repos ${listed(repos, MOST_REPOS)}`,
    ` (${idsOf(named(found, found.project))})`,
  ].join('')
}

const repoLabel = ({ repo_id, name, holder }: RepoEntity, found: ProjectView, reader: Reader): string =>
  holder === undefined
    ? `${quoted(name, NAME)} (not joined)`
    : authorLabel({ repo: repoName(found, repo_id), agentId: holder.agent_id }, reader)

/** The revision in force with its parties, and the status of a newer proposal. */
export function inForceLine(contract: ContractEntity, found: ProjectView): string {
  const { contract_id: id, name, head, in_force, status } = contract
  const { revision, status: progress } = in_force ?? { revision: head, status }
  const parties = repoNames(found, revision.parties)
  return [
    `- ${contractName({ kind: 'contract', id, name, version: revision.version })}, ${progress}`,
    parties.length === 0 ? '' : `, between ${namesOf(parties)}`,
    revision.id === head.id ? '' : `; version ${head.version} is ${status}`,
    ` (${idsOf(named(found, contract))})`,
  ].join('')
}

export function decisionLine(packet: PacketEntity, found: ProjectView, reader: Reader): string {
  const author = authorLabel(authorOf(packet, found), reader)
  return `- ${author} recorded ${quoted(decisionText(packet), QUOTE)}${remarked(packet, found)} (${idsOf(named(found, packet))})`
}

export function messageLine(packet: PacketEntity, found: ProjectView, reader: Reader): string {
  const author = authorLabel(authorOf(packet, found), reader)
  const whom = isAddressedTo(packet, repoOfAgent(found, reader.env.caller.agentId)?.name) ? ' to you' : ''
  return `- ${author} said${whom} ${quoted(messageIn(packet) ?? '', 2 * QUOTE)} (${idsOf(named(found, packet))})`
}

function remarked(packet: PacketEntity, found: ProjectView): string {
  const { not_among_options, contradicted_by = [] } = remarksIn(found)(packet)
  return [
    not_among_options ? ', which is not among the options of the question' : '',
    contradicted_by.length === 0
      ? ''
      : `, contradicted by packet ${contradicted_by.slice(0, MOST_REPOS_NAMED).join(', ')}`,
  ].join('')
}

function decisionText({ content }: PacketEntity): string {
  const { decision, chosen, rationale } = content ?? {}
  const texts = [decision, chosen, rationale].filter((one) => typeof one === 'string' && one !== '')
  return texts.length === 0 ? plain(content, 4 * QUOTE) : texts.join(' — ')
}

const contractName = ({ name, version }: About): string =>
  `contract ${quoted(name, NAME)}${version === undefined ? '' : ` version ${version}`}`

const arrow = (before: string | undefined, after: string): string =>
  before === undefined || before === after ? after : `${before}→${after}`

/** What a line is about. */
export interface Named {
  readonly projectId: string
  readonly about: Pick<About, 'kind' | 'id'>
}

export const named = (
  { project: { project_id: projectId } }: ProjectView,
  value: ProjectEntity | ContractEntity | PacketEntity,
): Named => {
  if ('packet_id' in value) return { projectId, about: { kind: 'packet', id: value.packet_id } }
  if ('contract_id' in value) return { projectId, about: { kind: 'contract', id: value.contract_id } }
  return { projectId, about: { kind: 'project', id: projectId } }
}

const idsOf = ({ projectId, about }: Named): string =>
  about.kind === 'project' ? `project ${projectId}` : `${about.kind} ${about.id}, project ${projectId}`

/** To the minute: `2026-11-16 09:00Z`. */
const moment = (stamp: string): string => `${stamp.slice(0, 10)} ${stamp.slice(11, 16)}Z`
