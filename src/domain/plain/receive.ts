import type { z } from 'zod'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { EntityName, LocalChange } from '../change.ts'
import { usualParties } from '../contract/parties.ts'
import type { Env } from '../env.ts'
import { assertMayName } from '../files/shared-file.ts'
import type { Form, ProjectForm } from '../model.ts'
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
import { shadowOf, showing } from './shadow.ts'
import { derived, forAnother, PlainVoice } from './voice.ts'

/** What became of one object that a plain peer showed. */
export interface Heard {
  readonly kind: Exclude<EntityName['kind'], 'receipt' | 'other'>
  readonly id: string
  readonly status: 'created' | 'updated' | 'skipped'
  /** Why it was not taken, or not whole. */
  readonly refusal: Fault | undefined
}

/**
 * What a plain peer sends of one project, by itself or because it was asked. What differs from what it was known to hold
 * is its own doing, and becomes statements for its own repo; whatever else it shows has no effect.
 */
export class Hearing {
  readonly #view: View
  readonly #env: Env
  readonly #projectId: string
  readonly #found: ProjectView | undefined
  readonly #voice: PlainVoice
  readonly #ids: RepoIds
  readonly #local: LocalChange[] = []
  /** Repos that are not here yet. */
  readonly #named = new Set<string>()
  /** How many repos this daemon had brought before, for those that sign nothing themselves. */
  #brought: number | undefined

  constructor(view: View, projectId: string, env: Env) {
    const { agentId } = env.caller
    this.#view = view
    this.#env = env
    this.#projectId = projectId
    this.#found = view.projects.get(projectId)
    this.#voice = new PlainVoice(this.#found, projectId, agentId, env)
    this.#ids = new RepoIds(view, agentId, projectId)
  }

  get says(): readonly Unsigned[] {
    return this.#voice.says
  }

  /** What is remembered of the peer; of somebody who is no peer nothing is. */
  get local(): readonly LocalChange[] {
    return this.#view.peers.get(this.#env.caller.agentId)?.trust === 'approved' ? this.#local : []
  }

  /** The project itself, without its parts. */
  project(wire: JsonObject): Heard {
    const given = read(GivenProject, wire, 'project')
    const found = this.#found
    const heard = {
      kind: 'project',
      id: this.#projectId,
      form: projectForm(given),
      isHere: found !== undefined,
    } as const
    return this.#hear(heard, () => {
      if (found !== undefined) return this.#retitle(given, found)
      assertForeign('project', this.#projectId)
      this.#voice.found(given)
    })
  }

  repo(wire: JsonObject): Heard {
    const given = read(GivenRepo, wire, 'repo')
    const id = this.#ids.arrive(given)
    const local = this.#found?.repos.get(id)
    if (local === undefined) this.#named.add(id)
    const { shadow } = this.#shadow('repo', id)
    const heard = { kind: 'repo', id, form: repoForm(given), isHere: local !== undefined } as const
    const count = this.#broughtBefore() + this.#named.size
    const newest = this.#found?.newestAbout(id)
    return this.#hear({ ...heard, idThere: given.repo_id }, () =>
      readRepo(given, { id, local, shadow, voice: this.#voice, newest, count }),
    )
  }

  #broughtBefore(): number {
    const { keyId: key } = this.#env.self.signer
    this.#brought ??= this.#found === undefined ? 0 : reposBroughtTo(this.#found, { key, isReported: true })
    return this.#brought
  }

  contract(wire: JsonObject): Heard {
    const given = this.#ids.contract(read(GivenContract, wire, 'contract'))
    const { contract_id: id, updated_at: at } = given
    const local = this.#found?.contracts.get(id)
    const { shadow } = this.#shadow('contract', id)
    // Older than what it showed last: two of its calls overtook each other.
    if (local !== undefined && shadow !== undefined && at < shadow.at)
      return { kind: 'contract', id, status: 'skipped', refusal: undefined }
    const heard = {
      kind: 'contract',
      id,
      at,
      form: contractForm(given),
      isHere: local !== undefined,
    } as const
    return this.#hear(heard, () => {
      this.#voice.assertTimely(at)
      if (local === undefined) assertForeign('contract', id)
      const parties = () => this.#usualParties(given.proposed_by)
      readContract(given, { local, shadow, voice: this.#voice, parties })
    })
  }

  packet(wire: JsonObject): Heard {
    const given = this.#ids.packet(read(GivenPacket, wire, 'packet'))
    const { packet_id: id, from_repo, type, content, related_contracts, reply_to } = given
    const isHere = this.#found?.packets.get(id) !== undefined
    return this.#hear({ kind: 'packet', id, form: packetForm(given), isHere }, () => {
      if (isHere) return
      assertForeign('packet', id)
      const voice = this.#voice
      if (!voice.holds(from_repo)) throw forAnother(voice.agentId, `share a packet of repo ${from_repo}`)
      assertMayName(this.#view, given, this.#env.caller)
      const nonce = derived('packet', id, from_repo, content)
      const body = { type, related_contracts, reply_to: reply_to ?? null, nonce }
      voice.say(from_repo, packetKind, { about: id, time: given.timestamp, body, content })
    })
  }

  /** The parts of a whole project, each read on its own. */
  parts({ repos, contracts, context_history }: JsonObject): Heard[] {
    return [
      ...this.#all(repos, 'repo', (part) => this.repo(part)),
      ...this.#all(contracts, 'contract', (part) => this.contract(part)),
      ...this.#all(context_history, 'packet', (part) => this.packet(part)),
    ]
  }

  #all(list: unknown, kind: Heard['kind'], hear: (part: JsonObject) => Heard): Heard[] {
    const heard: Heard[] = []
    for (const part of Array.isArray(list) ? (list as unknown[]) : []) {
      const id = isJsonObject(part) ? part[`${kind}_id`] : undefined
      const named = { kind, id: typeof id === 'string' ? id.slice(0, 128) : '', status: 'skipped' } as const
      try {
        this.#voice.assertRoom()
        if (!isJsonObject(part)) throw new Fault('invalid_params', `${kind}: must be a JSON object`)
        heard.push(hear(part))
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown
        heard.push({ ...named, refusal: thrown })
        if (thrown.kind === 'unavailable') break
      }
    }
    return heard
  }

  /** What was said before it was refused counts; what was shown is looked at again. */
  #hear({ kind, id, form, isHere, at, idThere }: Showing, hear: () => void): Heard {
    const { agentId } = this.#env.caller
    const { name, shadow } = this.#shadow(kind, id)
    const before = this.#voice.says.length
    let refusal: Fault | undefined
    try {
      hear()
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      refusal = thrown
    }
    if (refusal === undefined)
      this.#local.push(
        ...showing(shadow, {
          agentId,
          name,
          form,
          ...(at === undefined ? {} : { at }),
          ...(idThere === undefined ? {} : { idThere }),
        }),
      )
    const hasNews = this.#voice.says.length > before
    return { kind, id, status: !hasNews ? 'skipped' : isHere ? 'updated' : 'created', refusal }
  }

  #shadow(kind: Heard['kind'], id: string) {
    const name: EntityName = { kind, project_id: this.#projectId, id }
    return { name, shadow: shadowOf(this.#view, this.#env.caller.agentId, name) }
  }

  /** A name is news only if the peer was known to have another one. */
  #retitle(given: GivenProject, { project }: ProjectView): void {
    const { shadow } = this.#shadow('project', this.#projectId)
    const before = [shadow?.shown, shadow?.sent].filter(
      (form): form is ProjectForm => form?.kind === 'project',
    )
    const by = this.#voice.naming
    for (const field of ['name', 'objective'] as const) {
      const value = given[field]
      const isKnown = value === project[field] || before.some((form) => form[field] === value)
      if (before.length === 0 || isKnown || by === undefined) continue
      const report = { about: this.#projectId, time: given.updated_at, after: project.updated_at }
      this.#voice.sayBy(by, titleKind, { ...report, body: { field, value } })
    }
  }

  #usualParties(author: string): string[] {
    const parties = this.#found === undefined ? [...this.#named] : usualParties(this.#found, author)
    return [...new Set([...parties, author])].sort()
  }
}

interface Showing {
  readonly kind: Heard['kind']
  readonly id: string
  readonly form: Form
  readonly isHere: boolean
  readonly at?: Stamp
  readonly idThere?: string
}

/** Whoever signs gives ids that come from its key; such a one is opened by nobody else. */
function assertForeign(kind: Heard['kind'], id: string): void {
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
