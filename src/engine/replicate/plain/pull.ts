import type { EntityName, LocalChange } from '../../../domain/change.ts'
import { namesIn } from '../../../domain/entity.ts'
import type { Caller } from '../../../domain/env.ts'
import type { Form, Peer } from '../../../domain/model.ts'
import { contractForm, packetForm, projectForm, repoForm, sameForm } from '../../../domain/plain/form.ts'
import { GivenContract, GivenPacket, GivenProject, GivenRepo } from '../../../domain/plain/given.ts'
import { RepoIds } from '../../../domain/plain/ids.ts'
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
import { PlainRefusals } from './refusals.ts'

export interface PlainPullDeps extends Pick<Parts, 'view' | 'store'> {
  peer: Peer
  conversation: PlainConversation
  dispatch: Dispatch
}

/** How much deeper content lies in a part than in the call that brought it to the peer. */
const PART_DEPTH = 8

/**
 * Looks at what a plain peer holds. Whatever differs from what it was known to hold goes through the same
 * methods as if it had sent it; what it does not hold any more is forgotten, so that it gets it again.
 */
export class PlainPull {
  /** What it holds and we cannot take. */
  readonly refusals: PlainRefusals
  readonly #deps: PlainPullDeps
  /** SHA-256 of what it last showed of a project, to see at once that nothing changed. */
  readonly #hashes = new Map<string, string>()
  /** Projects that it lists and does not show, and why. */
  readonly #unshown = new Map<string, string>()

  constructor(deps: PlainPullDeps) {
    this.#deps = deps
    this.refusals = new PlainRefusals(deps.view)
  }

  /** Returns the projects in which something was not as known. */
  async all(): Promise<string[]> {
    const { view, peer } = this.#deps
    const listed = await listProjects(this.#deps.conversation)
    const changed: string[] = []
    this.#unshown.clear()
    for (const projectId of this.#hashes.keys()) if (!listed.has(projectId)) this.#hashes.delete(projectId)
    for (const projectId of listed) if (await this.#listed(projectId)) changed.push(projectId)
    for (const { project } of view.projects.oldestFirst()) {
      const { project_id } = project
      const name: EntityName = { kind: 'project', project_id, id: project_id }
      if (listed.has(project_id) || shadowOf(view, peer.agent_id, name) === undefined) continue
      if (await this.#unlisted(project_id)) changed.push(project_id)
    }
    return changed
  }

  /** What it cannot show now is as it was, and costs the other projects nothing. */
  async #listed(projectId: string): Promise<boolean> {
    const outcome = await this.#askProject(projectId)
    if (outcome.isMissing || outcome.result !== undefined) return this.#see(projectId, outcome)
    this.#hashes.delete(projectId)
    this.#unshown.set(projectId, `It does not show the project: ${outcome.error.message}`)
    return false
  }

  /** It says itself that it has it no more; unless it shows it all the same, that is so. */
  async #unlisted(projectId: string): Promise<boolean> {
    return this.#see(projectId, await this.#askProject(projectId))
  }

  /** Returns whether the project was not as known. */
  async one(projectId: string): Promise<boolean> {
    const outcome = await this.#askProject(projectId)
    if (outcome.error !== undefined && !outcome.isMissing)
      throw new Fault('unavailable', `It does not show project ${projectId}: ${outcome.error.message}`)
    this.#unshown.delete(projectId)
    return this.#see(projectId, outcome)
  }

  /** Answers an error also for another project than the one asked for. */
  async #askProject(projectId: string): Promise<PlainOutcome> {
    const outcome = await this.#deps.conversation.ask('cacp/project/get', { projectId })
    if (outcome.result === undefined || outcome.result['project_id'] === projectId) return outcome
    return {
      text: outcome.text,
      isMissing: false,
      error: { message: 'it shows another', kind: 'unavailable' },
    }
  }

  async #see(projectId: string, { text, result }: PlainOutcome): Promise<boolean> {
    const hash = sha256(text, 'base64url')
    if (this.#hashes.get(projectId) === hash) return false
    this.#hashes.delete(projectId)
    const isThere = result !== undefined
    const before = this.refusals.count
    this.refusals.forgetIn(projectId)
    if (isThere) await this.#takeProject(projectId, result)
    await this.#forgetMissing(projectId, isThere ? result : {})
    if (isThere && this.refusals.count === before) this.#hashes.set(projectId, hash)
    return true
  }

  /** Why what the peer holds of this cannot be taken. As long as that is so, it is not to be overwritten. */
  refusalOf(name: EntityName): string | undefined {
    return this.unshown(name.project_id) ?? this.refusals.of(name)
  }

  /** Why it is not known what the peer holds of this project, when it should be. */
  unshown(projectId: string): string | undefined {
    return this.#unshown.get(projectId)
  }

  /** One contract as the peer shows it now; returns its stamp there, or undefined when it has none. */
  async contract(projectId: string, contractId: string): Promise<Stamp | undefined> {
    const name: EntityName = { kind: 'contract', project_id: projectId, id: contractId }
    const contract = await this.#askContract(name)
    if (contract === undefined) {
      await this.#keep([forgetting(this.#deps.peer.agent_id, name)])
      return undefined
    }
    this.refusals.forget(name)
    if (this.#isStorable(name, contract)) await this.#takeContract(name, contract)
    return stampIn(contract)
  }

  async #askContract({ project_id, id }: EntityName): Promise<JsonObject | undefined> {
    const params = { projectId: project_id, contractId: id, includeHistory: true }
    const { result, error, isMissing } = await this.#deps.conversation.ask('cacp/contract/get', params)
    if (result?.['contract_id'] === id) return result
    if (isMissing) return undefined
    throw new Fault('unavailable', `It does not show contract ${id}: ${error?.message ?? 'it shows another'}`)
  }

  async #takeProject(projectId: string, shown: JsonObject): Promise<void> {
    const { view } = this.#deps
    const name: EntityName = { kind: 'project', project_id: projectId, id: projectId }
    const alone = { ...shown, repos: [], contracts: [], context_history: [] }
    if (!this.#isStorable(name, alone)) return
    const ids = this.#ids(projectId)
    const parts = (kind: PlainKind, list: unknown, idOf: (part: JsonObject) => unknown) =>
      objectsIn(list)
        .map((part) => ({ part, name: { kind, project_id: projectId, id: idIn(idOf(part)) } }))
        .filter((one) => this.#isStorable(one.name, one.part))
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
      const before = this.refusals.count
      const isTaken = await this.#take(name, { project })
      if (isTaken && this.refusals.count === before) return
      // One part may have spoilt it for all, or they were too many at once.
      if (!isTaken && !(await this.#take(name, { project: bare }))) return
    }
    const given = GivenProject.safeParse(alone).data
    if (this.#isNews(name, given && projectForm(given))) await this.#take(name, { project: alone })
    for (const { name: part, part: repo } of repos) await this.#takeRepo(part, repo)
    for (const { name: part, part: contract } of contracts) await this.#takeContract(part, contract)
    for (const { name: part, part: packet } of packets) {
      const read = GivenPacket.safeParse(packet).data
      if (this.#isNews(part, read && packetForm(ids.packet(read))))
        await this.#take(part, { projectId, packet })
    }
  }

  /** What its own agent does it tells; that it holds its repo no more, without a word of it, was somebody else's call. */
  async #takeRepo(name: EntityName, repo: JsonObject): Promise<void> {
    const { view, peer } = this.#deps
    const read = GivenRepo.safeParse(repo).data
    const form = read && repoForm(read)
    if (!this.#isNews(name, form)) return
    const shadow = shadowOf(view, peer.agent_id, name)
    const holder = view.projects.get(name.project_id)?.repos.get(name.id)?.holder
    if (form?.agent === null && shadow !== undefined && holder?.agent_id === peer.agent_id)
      await this.#keep([mending(peer.agent_id, name, shadow)])
    else await this.#take(name, { projectId: name.project_id, repo })
  }

  #ids(projectId: string): RepoIds {
    return new RepoIds(this.#deps.view, this.#deps.peer.agent_id, projectId)
  }

  /** Whatever reads a value later goes as deep as the value does, so this comes first. */
  #isStorable(name: EntityName, part: JsonObject): boolean {
    const unstorable = findUnstorable(part, { root: [name.kind], depth: LIMITS.depth + PART_DEPTH })
    if (unstorable !== undefined) this.refusals.note(name, unstorable)
    return unstorable === undefined
  }

  async #takeContract(name: EntityName, contract: JsonObject): Promise<void> {
    const { view, peer } = this.#deps
    const given = GivenContract.safeParse(contract).data
    if (!this.#isNews(name, given && contractForm(this.#ids(name.project_id).contract(given)))) return
    const shadow = shadowOf(view, peer.agent_id, name)
    if (given !== undefined && shadow !== undefined && given.updated_at < shadow.at) {
      // It told us something newer before, or its clock or disk was set back. A second look tells which.
      const again = await this.#askContract(name)
      if (again?.['updated_at'] !== contract['updated_at']) return
      if (shadowOf(view, peer.agent_id, name) === shadow)
        await this.#keep([resettingShadowTime(peer.agent_id, name, shadow)])
    }
    await this.#take(name, { projectId: name.project_id, contract })
  }

  #isNews(name: EntityName, form: Form | undefined): boolean {
    const shadow = shadowOf(this.#deps.view, this.#deps.peer.agent_id, name)
    return form === undefined || !sameForm(shadow?.shown, form)
  }

  /** Returns whether it was taken. */
  async #take(name: EntityName, params: object): Promise<boolean> {
    const { peer, dispatch } = this.#deps
    const caller: Caller = { kind: 'peer', agentId: peer.agent_id, repoName: peer.repo_name }
    const call = { method: METHODS[name.kind as PlainKind], params, caller, idempotencyKey: undefined }
    const answer: unknown = await dispatch(call).catch((error: unknown) => ({
      status: 'error',
      reason: Fault.from(error).message,
    }))
    const { status, reason, refused }: JsonObject = isJsonObject(answer) ? answer : {}
    for (const part of objectsIn(refused))
      this.refusals.note({ ...name, kind: part['kind'] as PlainKind, id: idIn(part['id']) }, part['reason'])
    if (status === 'error') this.refusals.note(name, reason)
    else this.refusals.forget(name)
    return status !== 'error'
  }

  async #forgetMissing(projectId: string, project: JsonObject): Promise<void> {
    const { view, peer } = this.#deps
    const found = view.projects.get(projectId)
    if (found === undefined) return
    const ids = this.#ids(projectId)
    const held = {
      project: new Set(idsIn([project], ['project_id'])),
      repo: new Set(objectsIn(project['repos']).map((repo) => repoIdIn(repo, ids))),
      contract: new Set(idsIn(project['contracts'], ['contract_id'])),
      packet: new Set(idsIn(project['context_history'], ['packet_id'])),
    }
    const gone = [...namesIn(found)].filter(
      (name) =>
        !held[name.kind as PlainKind].has(name.id) && shadowOf(view, peer.agent_id, name) !== undefined,
    )
    if (gone.length > 0) await this.#keep(gone.map((name) => forgetting(peer.agent_id, name)))
  }

  #keep(local: readonly LocalChange[]): Promise<void> {
    return this.#deps.store.commit(() => ({ result: undefined, local }))
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
