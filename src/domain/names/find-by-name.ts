import { filtered } from '../../protocol/collections/iterables.ts'
import { Fault } from '../../protocol/fault.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { isOpen, questionName, talkAbout } from '../context/question.ts'
import { repoName } from '../contract/next-step.ts'
import type { Caller, Env } from '../env.ts'
import { maySee, repoNamed, repoOfAgent } from '../lookup.ts'
import type { Peer } from '../model.ts'
import { noRepo } from '../project/joining-advice.ts'
import type { OrderedTable, ProjectView, View } from '../view.ts'
import type { ContractEntity, PacketEntity, RepoEntity } from '../views/entities.ts'
import { candidateText, type Kind, MOST_LISTED, notEnded, onlyOne, SHORTEST } from './only-one.ts'
import { quoted } from './quoted.ts'

/**
 * Finds entities by what people and agents call them: first by the exact id, then by the exact name, then, where that
 * is safe, by the beginning of the id. An ambiguous word is refused with its candidates.
 */

export interface Spelling {
  /** Whether the beginning of an id is enough: in calls that read, never in calls that change something. */
  readonly mayShorten: boolean
}

/** A longer word is a whole id. */
const LONGEST = 35

/** Undefined if there is none, as in the functions below: the caller reports what is missing. */
export function projectMeant(
  view: View,
  word: string,
  { caller, mayShorten }: Pick<Env, 'caller'> & Spelling,
): ProjectView | undefined {
  const found = view.projects.get(word)
  if (found !== undefined && maySee(found, caller)) return found
  const seen = (some: Iterable<ProjectView>) => filtered(some, (one) => maySee(one, caller))
  return onlyMeant(PROJECTS, word, [
    seen(view.projectsCalled(word)),
    seen(shortened(view.projects, word, mayShorten)),
  ])
}

export const contractMeant = (found: ProjectView, word: string, { mayShorten }: Spelling) =>
  found.contracts.get(word) ??
  onlyMeant(contractsOf(found), word, [
    found.contractsCalled(word),
    shortened(found.contracts, word, mayShorten),
  ])

export const packetMeant = (found: ProjectView, word: string, { mayShorten }: Spelling) =>
  found.packets.get(word) ??
  onlyMeant(packetsOf(found), word, [found.questionsCalled(word), shortened(found.packets, word, mayShorten)])

export const repoMeant = (found: ProjectView, word: string, { mayShorten }: Spelling) =>
  found.repos.get(word) ??
  repoNamed(found, word) ??
  onlyMeant(REPOS, word, [
    filtered(found.repos.oldestFirst(), (repo) => repo.shown_name === word),
    shortened(found.repos, word, mayShorten),
  ])

/** The only one of this name; if none has it, the only one whose id begins so. */
const onlyMeant = <Value>(
  kind: Kind<Value>,
  word: string,
  [called, begun]: readonly [Iterable<Value>, Iterable<Value>],
): Value | undefined =>
  onlyOne(kind, { word, how: 'called' }, notEnded(kind, called)) ??
  onlyOne(kind, { word, how: 'begin' }, begun)

/** The name of an entity if it is unambiguous, so that callers can use it; otherwise its id. */
export const nameOrIdOf = {
  project: (view: View, { project }: ProjectView, { caller }: Pick<Env, 'caller'>): string =>
    nameOrId(PROJECTS, project.project_id, project.name, () =>
      projectMeant(view, project.name, { caller, mayShorten: false }),
    ),
  contract: (found: ProjectView, { contract_id, name }: ContractEntity): string =>
    nameOrId(contractsOf(found), contract_id, name, () => contractMeant(found, name, { mayShorten: false })),
}

export function repoCalled(
  found: ProjectView,
  word: string,
  retry?: (meant: string) => NextCall,
): RepoEntity {
  const repo = repoMeant(found, word, { mayShorten: false })
  if (repo !== undefined) return repo
  throw noRepo(found, word, { field: 'repoName', ...(retry && { retry }) })
}

export function peerMeant({ peers }: View, word: string, { mayShorten }: Spelling): Peer | undefined {
  const isCalled = ({ repo_name, endpoint }: Peer) => repo_name === word || endpoint === word
  return (
    peers.get(word) ??
    onlyMeant(PEERS, word, [filtered(peers.oldestFirst(), isCalled), shortened(peers, word, mayShorten)])
  )
}

const PROJECTS: Kind<ProjectView> = {
  plural: 'projects',
  about: ({ project: { project_id: id, name, archived, created_by: by, created_at: createdAt } }) => ({
    id,
    name,
    status: archived ? 'archived' : 'open',
    by,
    createdAt,
  }),
  isOver: ({ project }) => project.archived,
}

const isEnded = ({ is_withdrawn, is_retired }: ContractEntity): boolean => is_withdrawn || is_retired

const contractsOf = (found: ProjectView): Kind<ContractEntity> => ({
  plural: 'contracts',
  about: ({ contract_id: id, name, type, status, is_withdrawn, is_retired, created_by, created_at }) => ({
    id,
    name,
    status: `${is_withdrawn ? 'withdrawn' : is_retired ? 'retired' : status} ${type}`,
    by: repoName(found, created_by),
    createdAt: created_at,
  }),
  isOver: isEnded,
})

/** A warning for a new contract whose name another contract has; undefined if none that has not ended has it. */
export function nameTaken(
  found: ProjectView,
  { contractId, name }: { readonly contractId: string; readonly name: string },
): string | undefined {
  const kind = contractsOf(found)
  for (const one of filtered(found.contractsCalled(name), (contract) => !isEnded(contract)))
    return `Contract ${candidateText(kind.about(one), `is called ${quoted(name, 80)}, too`)}: name each by its id, or take this one back: cacp/contract/withdraw with contractId ${contractId}`
  return undefined
}

/** An undecided question takes precedence over a decided one of the same name. */
const packetsOf = (found: ProjectView): Kind<PacketEntity> => {
  const isOver = (packet: PacketEntity) =>
    packet.type === 'question' && !isOpen(packet, talkAbout(packet, found))
  return {
    plural: 'packets',
    about: (packet) => ({
      id: packet.packet_id,
      name: questionName(packet) ?? packet.type,
      status: packet.type === 'question' && isOver(packet) ? 'decided question' : `open ${packet.type}`,
      by: repoName(found, packet.repo_id),
      createdAt: packet.timestamp,
    }),
    isOver,
  }
}

const REPOS: Kind<RepoEntity> = {
  plural: 'repos',
  about: ({ repo_id: id, name }) => ({ id, name }),
}
const PEERS: Kind<Peer> = {
  plural: 'peers',
  about: ({ agent_id: id, repo_name: name, trust: status }) => ({ id, name, status }),
  isOver: ({ trust }) => trust === 'revoked',
}

function nameOrId<Value>(
  { about }: Kind<Value>,
  id: string,
  name: string,
  meant: () => Value | undefined,
): string {
  try {
    const found = meant()
    return found !== undefined && about(found).id === id ? name : id
  } catch (error) {
    // The name is ambiguous.
    if (error instanceof Fault) return id
    throw error
  }
}

function shortened<Value>(shelf: OrderedTable<Value>, word: string, mayShorten: boolean): Iterable<Value> {
  const isLong = word.length >= SHORTEST && word.length <= LONGEST
  return mayShorten && isLong ? shelf.beginningWith(word) : []
}

const MOST_PROJECTS_SEARCHED = 1000

/**
 * The open projects that a caller may mean, the newest first: those in which it holds a repo or, if there are none,
 * those that it sees. No more than a message lists.
 */
export function eligibleProjects(view: View, caller: Caller): ProjectView[] {
  const [held, seen]: [ProjectView[], ProjectView[]] = [[], []]
  let left = MOST_PROJECTS_SEARCHED
  for (const one of view.projects.newestFirst()) {
    if (one.project.archived || !maySee(one, caller)) continue
    if (seen.length < MOST_LISTED) seen.push(one)
    if (repoOfAgent(one, caller.agentId, caller.pinned?.key) !== undefined) held.push(one)
    if (held.length === MOST_LISTED || --left === 0) break
  }
  return held.length > 0 ? held : seen
}
