import type { EntityName, LocalChange } from '../../../domain/change.ts'
import { namesIn } from '../../../domain/entity.ts'
import type { Caller } from '../../../domain/env.ts'
import type { Form, Peer } from '../../../domain/model.ts'
import { contractForm, packetForm, projectForm, repoForm, sameForm } from '../../../domain/plain/form.ts'
import { GivenContract, GivenPacket, GivenProject, GivenRepo } from '../../../domain/plain/given.ts'
import { type RepoIds, repoIdsOf } from '../../../domain/plain/ids.ts'
import { forgetting, mending, resettingShadowTime, shadowOf } from '../../../domain/plain/shadow.ts'
import { Fault } from '../../../protocol/fault.ts'
import { findUnstorable, isJsonObject, type JsonObject } from '../../../protocol/json/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { parseStamp, type Stamp } from '../../../protocol/stamp.ts'
import { sha256 } from '../../../protocol/text/sha256.ts'
import type { Dispatch } from '../../dispatch/dispatch.ts'
import type { Parts } from '../../parts.ts'
import type { PlainConversation, PlainOutcome } from './conversation.ts'
import { idsIn, listProjects, objectsIn } from './list.ts'
import { createPlainRefusals } from './refusals.ts'

export interface PlainPullDeps extends Pick<Parts, 'view' | 'store'> {
  peer: Peer
  conversation: PlainConversation
  dispatch: Dispatch
}

/** How much deeper content lies in a part than in the call that brought it to the peer. */
const PART_DEPTH = 8

export type PlainPull = ReturnType<typeof createPlainPull>

/**
 * Looks at what a plain peer holds. Whatever differs from what it was known to hold goes through the same
 * methods as if it had sent it; what it does not hold any more is forgotten, so that it gets it again.
 */
export function createPlainPull({ peer, conversation, view, store, dispatch }: PlainPullDeps) {
  const { agent_id: agentId, repo_name: repoName } = peer
  const refusals = createPlainRefusals(view)
  /** SHA-256 of what it last showed of a project, to see at once that nothing changed. */
  const hashes = new Map<string, string>()
  /** Projects that it lists and does not show, and why. */
  const hidden = new Map<string, string>()

  return {
    all,
    one,
    contract,
    /** What it holds and we cannot take. */
    refusals,
    /** Why what the peer holds of this cannot be taken. As long as that is so, it is not to be overwritten. */
    refusalOf: (name: EntityName): string | undefined => hidden.get(name.project_id) ?? refusals.of(name),
    /** Why it is not known what the peer holds of this project, when it should be. */
    unshown: (projectId: string): string | undefined => hidden.get(projectId),
  }

  /** Returns the projects in which something was not as known. */
  async function all(): Promise<string[]> {
    const listed = await listProjects(conversation)
    const changed: string[] = []
    hidden.clear()
    for (const projectId of hashes.keys()) if (!listed.has(projectId)) hashes.delete(projectId)
    for (const projectId of listed) if (await seeListed(projectId)) changed.push(projectId)
    for (const { project } of view.projects.oldestFirst()) {
      const { project_id } = project
      const name: EntityName = { kind: 'project', project_id, id: project_id }
      if (listed.has(project_id) || shadowOf(view, agentId, name) === undefined) continue
      // It says itself that it has it no more; unless it shows it all the same, that is so.
      if (await see(project_id, await askProject(project_id))) changed.push(project_id)
    }
    return changed
  }

  /** What it cannot show now is as it was, and costs the other projects nothing. */
  async function seeListed(projectId: string): Promise<boolean> {
    const outcome = await askProject(projectId)
    if (outcome.isMissing || outcome.result !== undefined) return see(projectId, outcome)
    hashes.delete(projectId)
    hidden.set(projectId, `It does not show the project: ${outcome.error.message}`)
    return false
  }

  /** Returns whether the project was not as known. */
  async function one(projectId: string): Promise<boolean> {
    const outcome = await askProject(projectId)
    if (outcome.error !== undefined && !outcome.isMissing)
      throw new Fault('unavailable', `It does not show project ${projectId}: ${outcome.error.message}`)
    hidden.delete(projectId)
    return see(projectId, outcome)
  }

  /** Answers an error also for another project than the one asked for. */
  async function askProject(projectId: string): Promise<PlainOutcome> {
    const outcome = await conversation.ask('cacp/project/get', { projectId })
    if (outcome.result === undefined || outcome.result['project_id'] === projectId) return outcome
    return {
      text: outcome.text,
      isMissing: false,
      error: { message: 'it shows another', kind: 'unavailable' },
    }
  }

  async function see(projectId: string, { text, result }: PlainOutcome): Promise<boolean> {
    const hash = sha256(text, 'base64url')
    if (hashes.get(projectId) === hash) return false
    hashes.delete(projectId)
    const isThere = result !== undefined
    const before = refusals.count
    refusals.forgetIn(projectId)
    if (isThere) await takeProject(projectId, result)
    await forgetMissing(projectId, isThere ? result : {})
    if (isThere && refusals.count === before) hashes.set(projectId, hash)
    return true
  }

  /** One contract as the peer shows it now; returns its stamp there, or undefined when it has none. */
  async function contract(projectId: string, contractId: string): Promise<Stamp | undefined> {
    const name: EntityName = { kind: 'contract', project_id: projectId, id: contractId }
    const shown = await askContract(name)
    if (shown === undefined) {
      await keep([forgetting(agentId, name)])
      return undefined
    }
    refusals.forget(name)
    if (isStorable(name, shown)) await takeContract(name, shown)
    return stampIn(shown)
  }

  async function askContract({ project_id, id }: EntityName): Promise<JsonObject | undefined> {
    const params = { projectId: project_id, contractId: id, includeHistory: true }
    const { result, error, isMissing } = await conversation.ask('cacp/contract/get', params)
    if (result?.['contract_id'] === id) return result
    if (isMissing) return undefined
    throw new Fault('unavailable', `It does not show contract ${id}: ${error?.message ?? 'it shows another'}`)
  }

  async function takeProject(projectId: string, shown: JsonObject): Promise<void> {
    const name: EntityName = { kind: 'project', project_id: projectId, id: projectId }
    const alone = { ...shown, repos: [], contracts: [], context_history: [] }
    if (!isStorable(name, alone)) return
    const ids = repoIds(projectId)
    const parts = (kind: PlainKind, list: unknown, idOf: (part: JsonObject) => unknown) =>
      objectsIn(list)
        .map((part) => ({ part, name: { kind, project_id: projectId, id: idIn(idOf(part)) } }))
        .filter((one) => isStorable(one.name, one.part))
    const repos = parts('repo', shown['repos'], (part) => repoIdIn(part, ids))
    const contracts = parts('contract', shown['contracts'], (part) => part['contract_id'])
    const packets = parts('packet', shown['context_history'], (part) => part['packet_id'])
    if (view.projects.get(projectId) === undefined) {
      const bare = { ...alone, repos: repos.map(({ part }) => part) }
      const project = {
        ...bare,
        contracts: contracts.map(({ part }) => part),
        context_history: packets.map(({ part }) => part),
      }
      const before = refusals.count
      const isTaken = await take(name, { project })
      if (isTaken && refusals.count === before) return
      // One part may have spoilt it for all, or they were too many at once.
      if (!isTaken && !(await take(name, { project: bare }))) return
    }
    const given = GivenProject.safeParse(alone).data
    if (isNews(name, given && projectForm(given))) await take(name, { project: alone })
    for (const { name: part, part: repo } of repos) await takeRepo(part, repo)
    for (const { name: part, part: contract } of contracts) await takeContract(part, contract)
    for (const { name: part, part: packet } of packets) {
      const read = GivenPacket.safeParse(packet).data
      if (isNews(part, read && packetForm(ids.packet(read)))) await take(part, { projectId, packet })
    }
  }

  /** What its own agent does it tells; that it holds its repo no more, without a word of it, was somebody else's call. */
  async function takeRepo(name: EntityName, repo: JsonObject): Promise<void> {
    const read = GivenRepo.safeParse(repo).data
    const form = read && repoForm(read)
    if (!isNews(name, form)) return
    const shadow = shadowOf(view, agentId, name)
    const holder = view.projects.get(name.project_id)?.repos.get(name.id)?.holder
    if (form?.agent === null && shadow !== undefined && holder?.agent_id === agentId)
      await keep([mending(agentId, name, shadow)])
    else await take(name, { projectId: name.project_id, repo })
  }

  function repoIds(projectId: string): RepoIds {
    return repoIdsOf(view, agentId, projectId)
  }

  /** Whatever reads a value later goes as deep as the value does, so this comes first. */
  function isStorable(name: EntityName, part: JsonObject): boolean {
    const unstorable = findUnstorable(part, { root: [name.kind], depth: LIMITS.depth + PART_DEPTH })
    if (unstorable !== undefined) refusals.note(name, unstorable)
    return unstorable === undefined
  }

  async function takeContract(name: EntityName, contract: JsonObject): Promise<void> {
    const given = GivenContract.safeParse(contract).data
    if (!isNews(name, given && contractForm(repoIds(name.project_id).contract(given)))) return
    const shadow = shadowOf(view, agentId, name)
    if (given !== undefined && shadow !== undefined && given.updated_at < shadow.at) {
      // It told us something newer before, or its clock or disk was set back. A second look tells which.
      const again = await askContract(name)
      if (again?.['updated_at'] !== contract['updated_at']) return
      if (shadowOf(view, agentId, name) === shadow) await keep([resettingShadowTime(agentId, name, shadow)])
    }
    await take(name, { projectId: name.project_id, contract })
  }

  function isNews(name: EntityName, form: Form | undefined): boolean {
    const shadow = shadowOf(view, agentId, name)
    return form === undefined || !sameForm(shadow?.shown, form)
  }

  /** Returns whether it was taken. */
  async function take(name: EntityName, params: object): Promise<boolean> {
    const caller: Caller = { kind: 'peer', agentId, repoName }
    const call = { method: METHODS[name.kind as PlainKind], params, caller, idempotencyKey: undefined }
    const answer: unknown = await dispatch(call).catch((error: unknown) => ({
      status: 'error',
      reason: Fault.from(error).message,
    }))
    const { status, reason, refused }: JsonObject = isJsonObject(answer) ? answer : {}
    for (const part of objectsIn(refused))
      refusals.note({ ...name, kind: part['kind'] as PlainKind, id: idIn(part['id']) }, part['reason'])
    if (status === 'error') refusals.note(name, reason)
    else refusals.forget(name)
    return status !== 'error'
  }

  async function forgetMissing(projectId: string, project: JsonObject): Promise<void> {
    const found = view.projects.get(projectId)
    if (found === undefined) return
    const ids = repoIds(projectId)
    const held = {
      project: new Set(idsIn([project], ['project_id'])),
      repo: new Set(objectsIn(project['repos']).map((repo) => repoIdIn(repo, ids))),
      contract: new Set(idsIn(project['contracts'], ['contract_id'])),
      packet: new Set(idsIn(project['context_history'], ['packet_id'])),
    }
    const gone = [...namesIn(found)].filter(
      (name) => !held[name.kind as PlainKind].has(name.id) && shadowOf(view, agentId, name) !== undefined,
    )
    if (gone.length > 0) await keep(gone.map((name) => forgetting(agentId, name)))
  }

  function keep(local: readonly LocalChange[]): Promise<void> {
    return store.commit(() => ({ result: undefined, local }))
  }
}

type PlainKind = keyof typeof METHODS

const METHODS = {
  project: 'cacp/project/sync',
  repo: 'cacp/repo/sync',
  contract: 'cacp/contract/sync',
  packet: 'cacp/context/sync',
} as const

/** What a repo that it shows is called here. */
const repoIdIn = ({ repo_id, name }: JsonObject, ids: RepoIds): string | undefined =>
  typeof repo_id === 'string' && typeof name === 'string' ? ids.arrive({ repo_id, name }) : undefined

/** As it is reported; what has no id is refused anyway. */
const idIn = (id: unknown): string => (typeof id === 'string' ? id.slice(0, 128) : 'unknown')

const stampIn = ({ updated_at }: JsonObject): Stamp | undefined =>
  typeof updated_at === 'string' ? parseStamp(updated_at) : undefined
