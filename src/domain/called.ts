import { Fault } from '../protocol/fault.ts'
import type { Caller, Env } from './env.ts'
import type { NextCall } from './inbox-item.ts'
import { noRepo } from './joining-advice.ts'
import { maySee, repoNamed } from './lookup.ts'
import type { Peer } from './model.ts'
import { quoted } from './quoted.ts'
import type { ProjectView, Shelf, View } from './view.ts'
import type { ContractEntity, PacketEntity, RepoEntity } from './views/entities.ts'

/**
 * What people and agents call things: the exact id is tried first, then the exact name, then, where that is safe, the
 * beginning of the id. What means several is refused with those that it may mean.
 */

export interface Spelling {
  /** Whether the beginning of an id is enough: for looking, never for changing something. */
  readonly mayShorten: boolean
}

/** Shorter ones would mean something else tomorrow. */
const SHORTEST = 6
/** Whole ids of ours are no beginnings of others. */
const LONGEST = 35

/** Undefined where there is none, here and in the others: whoever needs it says what is missing. */
export function projectMeant(
  view: View,
  word: string,
  { caller, mayShorten }: Pick<Env, 'caller'> & Spelling,
): ProjectView | undefined {
  const found = view.projects.get(word)
  if (found !== undefined && maySee(found, caller)) return found
  const seen = (some: Iterable<ProjectView>) => filtered(some, (one) => maySee(one, caller))
  return (
    onlyOne(PROJECTS, { word, how: 'called' }, living(PROJECTS, seen(view.projectsCalled(word)))) ??
    onlyOne(PROJECTS, { word, how: 'begin' }, seen(shortened(view.projects, word, mayShorten)))
  )
}

export function contractMeant(
  found: ProjectView,
  word: string,
  { mayShorten }: Spelling,
): ContractEntity | undefined {
  return (
    found.contracts.get(word) ??
    onlyOne(CONTRACTS, { word, how: 'called' }, living(CONTRACTS, found.contractsCalled(word))) ??
    onlyOne(CONTRACTS, { word, how: 'begin' }, shortened(found.contracts, word, mayShorten))
  )
}

export function packetMeant(
  found: ProjectView,
  word: string,
  { mayShorten }: Spelling,
): PacketEntity | undefined {
  return (
    found.packets.get(word) ??
    onlyOne(PACKETS, { word, how: 'begin' }, shortened(found.packets, word, mayShorten))
  )
}

export function repoMeant(
  found: ProjectView,
  word: string,
  { mayShorten }: Spelling,
): RepoEntity | undefined {
  const shown = filtered(found.repos.oldestFirst(), (repo) => repo.shown_name === word)
  return (
    found.repos.get(word) ??
    repoNamed(found, word) ??
    onlyOne(REPOS, { word, how: 'called' }, shown) ??
    onlyOne(REPOS, { word, how: 'begin' }, shortened(found.repos, word, mayShorten))
  )
}

/** The name of something where it alone is meant by it, so that it can be given back; else its id. */
export const goesBy = {
  project: (view: View, { project }: ProjectView, { caller }: Pick<Env, 'caller'>): string =>
    nameOrId(PROJECTS, project.project_id, project.name, () =>
      projectMeant(view, project.name, { caller, mayShorten: false }),
    ),
  contract: (found: ProjectView, { contract_id, name }: ContractEntity): string =>
    nameOrId(CONTRACTS, contract_id, name, () => contractMeant(found, name, { mayShorten: false })),
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
    onlyOne(PEERS, { word, how: 'called' }, living(PEERS, filtered(peers.oldestFirst(), isCalled))) ??
    onlyOne(PEERS, { word, how: 'begin' }, shortened(peers, word, mayShorten))
  )
}

interface Kind<Value> {
  readonly plural: string
  readonly about: (value: Value) => { readonly id: string; readonly name: string }
  /** Whether its name is to be had for another one. */
  readonly isOver?: (value: Value) => boolean
}

const PROJECTS: Kind<ProjectView> = {
  plural: 'projects',
  about: ({ project }) => ({ id: project.project_id, name: project.name }),
  isOver: ({ project }) => project.archived,
}
const CONTRACTS: Kind<ContractEntity> = {
  plural: 'contracts',
  about: ({ contract_id: id, name }) => ({ id, name }),
  isOver: ({ is_withdrawn, is_retired }) => is_withdrawn || is_retired,
}
const PACKETS: Kind<PacketEntity> = {
  plural: 'packets',
  about: ({ packet_id: id, type: name }) => ({ id, name }),
}
const REPOS: Kind<RepoEntity> = {
  plural: 'repos',
  about: ({ repo_id: id, name }) => ({ id, name }),
}
const PEERS: Kind<Peer> = {
  plural: 'peers',
  about: ({ agent_id: id, repo_name: name }) => ({ id, name }),
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
    // Several go by it.
    if (error instanceof Fault) return id
    throw error
  }
}

/** Of those that go by one name, so many are told, and so many looked at. */
const TOLD = 10
const LOOKED_AT = 1000

/** Those that are not over; where all are, these. */
function living<Value>({ isOver = () => false }: Kind<Value>, some: Iterable<Value>): Iterable<Value> {
  const [alive, over]: [Value[], Value[]] = [[], []]
  for (const one of some) {
    ;(isOver(one) ? over : alive).push(one)
    if (alive.length > TOLD || alive.length + over.length === LOOKED_AT) break
  }
  return alive.length > 0 ? alive : over
}

function* filtered<Value>(some: Iterable<Value>, isMeant: (value: Value) => boolean): Iterable<Value> {
  for (const one of some) if (isMeant(one)) yield one
}

function shortened<Value>(shelf: Shelf<Value>, word: string, mayShorten: boolean): Iterable<Value> {
  const isLong = word.length >= SHORTEST && word.length <= LONGEST
  return mayShorten && isLong ? shelf.beginningWith(word) : []
}

interface Asked {
  readonly word: string
  readonly how: 'called' | 'begin'
}

function onlyOne<Value>(
  { plural, about }: Kind<Value>,
  { word, how }: Asked,
  some: Iterable<Value>,
): Value | undefined {
  const found: Value[] = []
  for (const one of some) {
    found.push(one)
    if (found.length > TOLD) break
  }
  if (found.length <= 1) return found[0]
  const candidates = found.slice(0, TOLD).map(about)
  const count = found.length > TOLD ? `More than ${TOLD}` : found.length
  const shared = how === 'called' ? `are called ${quoted(word, 80)}` : `have an ID that begins with ${word}`
  throw new Fault('invalid_params', `${count} ${plural} ${shared}: ${told(candidates, how)}`, {
    next: 'Name the one that you mean by its id',
    data: { candidates },
  })
}

const told = (candidates: readonly { id: string; name: string }[], how: Asked['how']): string =>
  candidates.map(({ id, name }) => (how === 'called' ? id : `${id} ${quoted(name, 60)}`)).join(', ')

/** The open projects that a caller sees, the newest first; no more than can be told. */
export function openProjects(view: View, caller: Caller): ProjectView[] {
  const seen: ProjectView[] = []
  for (const one of view.projects.newestFirst()) {
    if (!one.project.archived && maySee(one, caller)) seen.push(one)
    if (seen.length === TOLD) break
  }
  return seen
}
