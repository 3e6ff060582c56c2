import type * as z from 'zod'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { EntityName, LocalChange } from '../change.ts'
import { usualParties } from '../contract/parties.ts'
import type { Env } from '../env.ts'
import { assertMayName } from '../files/shared-file.ts'
import type { Form } from '../model.ts'
import { reposBroughtTo } from '../repo/repo.ts'
import { isForeignId } from '../statements/certified-id.ts'
import { packet as packetKind } from '../statements/packet.ts'
import type { Unsigned } from '../statements/say.ts'
import { describeIssue } from '../statements/statement.ts'
import { title as titleKind } from '../statements/title.ts'
import type { ProjectView, View } from '../view.ts'
import { readContract } from './contract.ts'
import { contractForm, packetForm, projectForm, repoForm } from './form.ts'
import { GivenContract, GivenPacket, GivenProject, GivenRepo } from './given.ts'
import { RepoIds } from './ids.ts'
import { readRepo } from './repo.ts'
import { derivedNonce, notForAnother, PlainPeerReporter } from './reporter.ts'
import { formsHeld, recordReceived, shadowOf } from './shadow.ts'

/** The outcome for one object that a plain peer sent. */
export interface ReceivedObject {
  readonly kind: Exclude<EntityName['kind'], 'receipt' | 'other'>
  readonly id: string
  readonly status: 'created' | 'updated' | 'skipped'
  /** Why it was not accepted, or not completely. */
  readonly refusal: Fault | undefined
}

/**
 * Reads what a plain peer sends of one project, by itself or on request. What differs from the shadow is a change by
 * the peer and becomes statements for the peer's own repo; everything else has no effect.
 */
export class PlainReceiver {
  readonly #view: View
  readonly #env: Env
  readonly #projectId: string
  readonly #found: ProjectView | undefined
  readonly #reporter: PlainPeerReporter
  readonly #ids: RepoIds
  readonly #local: LocalChange[] = []
  /** Repos that are not here yet. */
  readonly #named = new Set<string>()
  /** How many repos this daemon had named or claimed before, for agents that sign nothing themselves. */
  #brought: number | undefined

  constructor(view: View, projectId: string, env: Env) {
    const { agentId } = env.caller
    this.#view = view
    this.#env = env
    this.#projectId = projectId
    this.#found = view.projects.get(projectId)
    this.#reporter = new PlainPeerReporter(this.#found, projectId, agentId, env)
    this.#ids = new RepoIds(view, agentId, projectId)
  }

  get says(): readonly Unsigned[] {
    return this.#reporter.says
  }

  /** The new shadows; none are kept for a caller that is no approved peer. */
  get local(): readonly LocalChange[] {
    return this.#view.peers.get(this.#env.caller.agentId)?.trust === 'approved' ? this.#local : []
  }

  /** The project itself, without its parts. */
  project(wire: JsonObject): ReceivedObject {
    const given = read(GivenProject, wire, 'project')
    const found = this.#found
    const id = this.#projectId
    const isHere = found !== undefined
    return this.#receive({ kind: 'project', id, form: projectForm(given), isHere }, () => {
      if (found !== undefined) return this.#retitle(given, found)
      assertForeign('project', id)
      this.#reporter.found(given)
    })
  }

  repo(wire: JsonObject): ReceivedObject {
    const given = read(GivenRepo, wire, 'repo')
    const id = this.#ids.arrive(given)
    const local = this.#found?.repos.get(id)
    if (local === undefined) this.#named.add(id)
    const before = formsHeld(this.#shadow('repo', id).shadow, 'repo')
    const count = this.#broughtBefore() + this.#named.size
    const newest = this.#found?.newestAbout(id)
    const received = { id, form: repoForm(given), isHere: local !== undefined, idThere: given.repo_id }
    return this.#receive({ kind: 'repo', ...received }, () =>
      readRepo(given, { id, local, before, reporter: this.#reporter, newest, count }),
    )
  }

  #broughtBefore(): number {
    const { keyId: key } = this.#env.self.signer
    this.#brought ??= this.#found === undefined ? 0 : reposBroughtTo(this.#found, { key, isReported: true })
    return this.#brought
  }

  contract(wire: JsonObject): ReceivedObject {
    const given = this.#ids.contract(read(GivenContract, wire, 'contract'))
    const { contract_id: id, updated_at: at } = given
    const local = this.#found?.contracts.get(id)
    const { shadow } = this.#shadow('contract', id)
    // Older than what the peer sent last: two of its calls overtook each other.
    if (local !== undefined && shadow !== undefined && at < shadow.at)
      return { kind: 'contract', id, status: 'skipped', refusal: undefined }
    const isHere = local !== undefined
    return this.#receive({ kind: 'contract', id, at, form: contractForm(given), isHere }, () => {
      this.#reporter.assertTimely(at)
      if (!isHere) assertForeign('contract', id)
      const parties = () => this.#usualParties(given.proposed_by)
      const before = formsHeld(shadow, 'contract')
      readContract({ given, local, before, reporter: this.#reporter, parties })
    })
  }

  packet(wire: JsonObject): ReceivedObject {
    const given = this.#ids.packet(read(GivenPacket, wire, 'packet'))
    const { packet_id: id, from_repo, type, content, related_contracts, reply_to } = given
    const isHere = this.#found?.packets.get(id) !== undefined
    return this.#receive({ kind: 'packet', id, form: packetForm(given), isHere }, () => {
      if (isHere) return
      assertForeign('packet', id)
      const reporter = this.#reporter
      if (!reporter.holds(from_repo))
        throw notForAnother(reporter.agentId, `share a packet of repo ${from_repo}`)
      assertMayName(this.#view, given, this.#env.caller)
      const nonce = derivedNonce('packet', id, from_repo, content)
      const body = { type, related_contracts, reply_to: reply_to ?? null, nonce }
      reporter.say(from_repo, packetKind, { about: id, time: given.timestamp, body, content })
    })
  }

  /** The parts of a whole project, each read separately. */
  parts({ repos, contracts, context_history }: JsonObject): ReceivedObject[] {
    return [
      ...this.#all(repos, 'repo', (part) => this.repo(part)),
      ...this.#all(contracts, 'contract', (part) => this.contract(part)),
      ...this.#all(context_history, 'packet', (part) => this.packet(part)),
    ]
  }

  #all(
    list: unknown,
    kind: ReceivedObject['kind'],
    receive: (part: JsonObject) => ReceivedObject,
  ): ReceivedObject[] {
    const received: ReceivedObject[] = []
    for (const part of Array.isArray(list) ? (list as unknown[]) : []) {
      const id = isJsonObject(part) ? part[`${kind}_id`] : undefined
      const named = { kind, id: typeof id === 'string' ? id.slice(0, 128) : '', status: 'skipped' } as const
      try {
        this.#reporter.assertRoom()
        if (!isJsonObject(part)) throw new Fault('invalid_params', `${kind}: must be a JSON object`)
        received.push(receive(part))
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown
        received.push({ ...named, refusal: thrown })
        if (thrown.kind === 'unavailable') break
      }
    }
    return received
  }

  /** Statements from before a refusal are kept; the shadow is not updated, so the object is read again next time. */
  #receive({ kind, id, form, isHere, at, idThere }: ReceivedEntity, receive: () => void): ReceivedObject {
    const { agentId } = this.#env.caller
    const { name, shadow } = this.#shadow(kind, id)
    const before = this.#reporter.says.length
    let refusal: Fault | undefined
    try {
      receive()
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      refusal = thrown
    }
    if (refusal === undefined)
      this.#local.push(...recordReceived(shadow, { agentId, name, form, at, idThere }))
    const hasNews = this.#reporter.says.length > before
    return { kind, id, status: !hasNews ? 'skipped' : isHere ? 'updated' : 'created', refusal }
  }

  #shadow(kind: ReceivedObject['kind'], id: string) {
    const name: EntityName = { kind, project_id: this.#projectId, id }
    return { name, shadow: shadowOf(this.#view, this.#env.caller.agentId, name) }
  }

  /** A title is a change by the peer only if the peer was known to have another one. */
  #retitle(given: GivenProject, { project }: ProjectView): void {
    const before = formsHeld(this.#shadow('project', this.#projectId).shadow, 'project')
    const by = this.#reporter.naming
    for (const field of ['name', 'objective'] as const) {
      const value = given[field]
      const isKnown = value === project[field] || before.some((form) => form[field] === value)
      if (before.length === 0 || isKnown || by === undefined) continue
      const report = { about: this.#projectId, time: given.updated_at, after: project.updated_at }
      this.#reporter.sayBy(by, titleKind, { ...report, body: { field, value } })
    }
  }

  #usualParties(author: string): string[] {
    const parties = this.#found === undefined ? [...this.#named] : usualParties(this.#found, author)
    return [...new Set([...parties, author])].sort()
  }
}

interface ReceivedEntity {
  readonly kind: ReceivedObject['kind']
  readonly id: string
  readonly form: Form
  readonly isHere: boolean
  readonly at?: Stamp
  readonly idThere?: string
}

/** Refuses to open an entity with a certified id: only the daemon whose key the id comes from can open it. */
function assertForeign(kind: ReceivedObject['kind'], id: string): void {
  if (isForeignId(id, { body: { reported_by: true } })) return
  throw new Fault('forbidden', `${kind} ${id} was opened by a daemon that signs what it says`, {
    next: 'It arrives from there with cacp/sync/statements',
  })
}

function read<Schema extends z.ZodType>(schema: Schema, wire: JsonObject, what: string): z.output<Schema> {
  const { data, error } = schema.safeParse(wire)
  if (error === undefined) return data as z.output<Schema>
  throw new Fault('invalid_params', `${what}.${describeIssue(error)}`, { data: { field: what } })
}
