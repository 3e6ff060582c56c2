import type { z } from 'zod'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { EARLIEST } from '../protocol/stamp.ts'
import { admitProject } from './admit.ts'
import type { LocalChange } from './change.ts'
import { emptyRoom } from './empty-room.ts'
import type { EntityName } from './entity.ts'
import type { Caller, Env } from './env.ts'
import { repoNamed, repoOfAgent } from './lookup.ts'
import type { Contract, Form, Project } from './model.ts'
import { readContract } from './plain-contract.ts'
import {
  contractForm,
  ownPacketForm,
  ownProjectForm,
  packetForm,
  projectForm,
  repoForm,
  sameForm,
} from './plain-form.ts'
import { readRepo } from './plain-repo.ts'
import { shadowOf, showing } from './plain-shadow.ts'
import { bareContract, renderPacket } from './render.ts'
import { activeClaim } from './repo.ts'
import type { ProjectView, View } from './view.ts'
import { WireContract, WireOnePacket, WireProject, WireRepo } from './wire.ts'

/** An object as it is to be absorbed, and what is to be remembered if it is. */
export interface Received {
  readonly wire: JsonObject
  readonly local: readonly LocalChange[]
  /** Set when its sender knows the document only, and so speaks for its own repo alone. */
  readonly only: Pick<Caller, 'agentId' | 'repoName'> | undefined
}

/**
 * What a plain peer sends, by itself or because it was asked. The object tells, not the sender, which may not
 * be known for what it is yet: it lacks what every cacpd writes. Any other object is taken as it is; so is
 * what cannot be read, which is then refused with the reason.
 */
export class PlainReceiver {
  readonly #view: View
  readonly #env: Env
  /** Repos that come in the same message, and who holds them there. */
  #arriving: ReadonlyMap<string, string> = new Map()

  constructor(view: View, env: Env) {
    this.#view = view
    this.#env = env
  }

  contract(found: ProjectView, wire: JsonObject): Received {
    const given = wire['head'] === undefined ? WireContract.safeParse(wire).data : undefined
    if (given === undefined) return this.#asItIs(wire)
    const { agentId } = this.#env.caller
    const name = { kind: 'contract', project_id: found.project.project_id, id: given.contract_id } as const
    const shadow = shadowOf(this.#view, agentId, name)
    const local = found.contracts.get(given.contract_id)
    // Older than what it showed last: two of its calls overtook each other.
    if (local !== undefined && shadow !== undefined && given.updated_at < shadow.at)
      return this.#asItIs(bareContract(local) as unknown as JsonObject)
    const author = { agentId, repoId: this.#repoOf(found) }
    const read = {
      ...readContract(given, { local, shadow, author }),
      ...this.#partiesOf(found, given, local),
    }
    return this.#received(name, read, contractForm(given), given.updated_at)
  }

  repo(found: ProjectView, wire: JsonObject): Received {
    const given = wire['claims'] === undefined ? WireRepo.safeParse(wire).data : undefined
    if (given === undefined) return this.#asItIs(wire)
    const { project } = found
    const name = { kind: 'repo', project_id: project.project_id, id: given.repo_id } as const
    const shadow = shadowOf(this.#view, this.#env.caller.agentId, name)
    const local = found.repos.get(given.repo_id)
    const { agentId } = this.#env.caller
    const read = readRepo(given, { project, local, shadow, now: this.#env.now, agentId })
    return this.#received(name, read, repoForm(given))
  }

  packet(found: ProjectView, wire: JsonObject): Received {
    // Nothing tells a plain packet from another one, and nobody gives one another time.
    const given = this.#isKnownPlain ? WireOnePacket.safeParse(wire).data : undefined
    if (given === undefined) return this.#asItIs(wire)
    const name = { kind: 'packet', project_id: found.project.project_id, id: given.packet_id } as const
    const local = found.packets.get(given.packet_id)
    const form = packetForm(given)
    const shadow = shadowOf(this.#view, this.#env.caller.agentId, name)
    const isKnown =
      local !== undefined &&
      [shadow?.shown, shadow?.sent, ownPacketForm(local)].some((known) => sameForm(known, form))
    return this.#received(name, isKnown ? renderPacket(local) : wire, form)
  }

  /** A whole project, with each of its parts read on its own. */
  project(wire: JsonObject): Received {
    const head = this.#registers(wire)
    if (head.local.length === 0 && head.wire === wire) return head
    const known = this.#view.projects.get(String(head.wire['project_id']))
    const project = admitProject(head.wire, this.#env.now, known?.project)
    const found = known ?? emptyRoom(project)
    this.#arriving = holdersIn(wire['repos'])
    const local = [...head.local]
    const readAll = (list: unknown, read: (part: JsonObject) => Received): unknown[] =>
      (Array.isArray(list) ? list : []).map((part) => {
        if (!isJsonObject(part)) return part
        const received = read(part)
        for (const change of received.local) local.push(change)
        return received.wire
      })
    const parts = {
      repos: readAll(wire['repos'], (part) => this.repo(found, part)),
      contracts: readAll(wire['contracts'], (part) => this.contract(found, part)),
      context_history: readAll(wire['context_history'], (part) => this.packet(found, part)),
    }
    return { ...head, wire: { ...head.wire, ...parts } as JsonObject, local }
  }

  #registers(wire: JsonObject): Received {
    const given = wire['stamps'] === undefined ? WireProject.safeParse(wire).data : undefined
    if (given === undefined) return this.#asItIs(wire)
    const name = { kind: 'project', project_id: given.project_id, id: given.project_id } as const
    const shadow = shadowOf(this.#view, this.#env.caller.agentId, name)
    const known = this.#view.projects.get(given.project_id)
    const seen = [shadow?.shown, shadow?.sent].filter((form) => form?.kind === 'project')
    // Of somebody who was never looked at, the document's rule of time decides.
    const before =
      known === undefined || this.#isKnownPlain || seen.length > 0 ? seen : [ownProjectForm(known.project)]
    const read = { ...wire, ...(known === undefined ? {} : registersOf(given, known.project, before)) }
    return this.#received(name, read, projectForm(given))
  }

  get #isKnownPlain(): boolean {
    return this.#view.links.get(this.#env.caller.agentId)?.plain === true
  }

  #received(name: EntityName, read: object, form: Form, at = EARLIEST): Received {
    const { caller } = this.#env
    const { agentId, kind } = caller
    const wire = read as JsonObject
    // The operator may hand in any object by hand; it answers for its daemon as a whole.
    const only = kind === 'operator' ? undefined : caller
    if (kind !== 'peer' && !this.#isKnownPlain) return { wire, local: [], only }
    const shadow = shadowOf(this.#view, agentId, name)
    return { wire, local: showing(shadow, { agentId, name, form, at }), only }
  }

  #asItIs(wire: JsonObject): Received {
    return { wire, local: [], only: this.#isKnownPlain ? this.#env.caller : undefined }
  }

  #repoOf(found: ProjectView): string {
    const { agentId, repoName } = this.#env.caller
    const repo = repoOfAgent(found, agentId) ?? (repoName === null ? undefined : repoNamed(found, repoName))
    if (repo !== undefined) return repo.repo_id
    for (const [repoId, holder] of this.#arriving) if (holder === agentId) return repoId
    return 'unknown'
  }

  /** Whoever proposed it knows the parties. If that is a daemon we hear from, it will say so itself. */
  #partiesOf(found: ProjectView, given: { proposed_by: string }, local: Contract | undefined): object {
    if (local !== undefined) return {}
    const proposer = found.repos.get(given.proposed_by)
    const holder = proposer && activeClaim(proposer, found.project)?.agent_id
    const agent = holder ?? this.#arriving.get(given.proposed_by)
    if (agent === undefined || agent === this.#env.caller.agentId) return {}
    const isHeardFrom = agent === this.#env.self.agentId || this.#view.peers.get(agent)?.trust === 'approved'
    return isHeardFrom ? { parties: [] } : {}
  }
}

/** A name is news only if the peer was known to have another one; its project's stamp says nothing of it. */
function registersOf(
  given: z.infer<typeof WireProject>,
  { name, objective, archived }: Project,
  before: readonly { name: string; objective: string }[],
): object {
  const isNews = (key: 'name' | 'objective') =>
    before.length > 0 && !before.some((form) => form[key] === given[key])
  const named = isNews('name') ? { value: given.name, at: given.updated_at } : name
  const aimed = isNews('objective') ? { value: given.objective, at: given.updated_at } : objective
  return {
    name: named.value,
    objective: aimed.value,
    archived: archived.value,
    stamps: { name: named.at, objective: aimed.at, archived: archived.at },
  }
}

function holdersIn(repos: unknown): Map<string, string> {
  const given = (Array.isArray(repos) ? repos : []).map((repo) => WireRepo.safeParse(repo).data)
  return new Map(
    given
      .filter((repo) => repo !== undefined)
      .map((repo) => [repo.repo_id, repo.assigned_agent ?? repo.agent_id ?? '']),
  )
}
