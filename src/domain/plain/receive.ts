import type * as z from 'zod'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import type { EntityName, LocalChange } from '../change.ts'
import { usualParties } from '../contract/parties.ts'
import type { Env } from '../env.ts'
import { assertMayName } from '../files/shared-file.ts'
import { reposBroughtTo } from '../repo/repo.ts'
import { isForeignId } from '../statements/certified-id.ts'
import { packet as packetKind } from '../statements/packet.ts'
import { describeIssue } from '../statements/statement.ts'
import { title as titleKind } from '../statements/title.ts'
import type { ProjectView, View } from '../view.ts'
import { readContract } from './contract.ts'
import { contractForm, packetForm, projectForm, repoForm } from './form.ts'
import { GivenContract, GivenPacket, GivenProject, GivenRepo } from './given.ts'
import { repoIdsOf } from './ids.ts'
import { readRepo } from './repo.ts'
import { derivedNonce, notForAnother, plainPeerReporter } from './reporter.ts'
import { formsHeld, type ReceivedForm, recordReceived, shadowOf } from './shadow.ts'

/** The outcome for one object that a plain peer sent. */
export interface ReceivedObject {
  readonly kind: Exclude<EntityName['kind'], 'receipt' | 'other'>
  readonly id: string
  readonly status: 'created' | 'updated' | 'skipped'
  /** Why it was not accepted, or not completely. */
  readonly refusal: Fault | undefined
}

export type PlainReceiver = ReturnType<typeof plainReceiver>

/**
 * Reads what a plain peer sends of one project, by itself or on request. What differs from the shadow is a change by
 * the peer and becomes statements for the peer's own repo; everything else has no effect.
 */
export function plainReceiver(view: View, projectId: string, env: Env) {
  const { agentId } = env.caller
  const found = view.projects.get(projectId)
  const reporter = plainPeerReporter(found, projectId, env)
  const ids = repoIdsOf(view, agentId, projectId)
  const shadows: LocalChange[] = []
  /** Repos that are not here yet. */
  const named = new Set<string>()
  /** How many repos this daemon had named or claimed before, for agents that sign nothing themselves. */
  let brought: number | undefined

  /** What the peer said anew, and its new shadows; none are kept for a caller that is no approved peer. */
  const effects = () => ({
    says: reporter.says,
    local: view.peers.get(agentId)?.trust === 'approved' ? shadows : [],
  })

  /** The project itself, without its parts. */
  function project(wire: JsonObject): ReceivedObject {
    const given = read(GivenProject, wire, 'project')
    const isHere = found !== undefined
    return receive({ kind: 'project', id: projectId, form: projectForm(given), isHere }, () => {
      if (found !== undefined) return retitle(given, found)
      assertForeign('project', projectId)
      reporter.found(given)
    })
  }

  function repo(wire: JsonObject): ReceivedObject {
    const given = read(GivenRepo, wire, 'repo')
    const id = ids.arrive(given)
    const local = found?.repos.get(id)
    if (local === undefined) named.add(id)
    const before = formsHeld(shadowAt('repo', id).shadow, 'repo')
    const count = broughtBefore() + named.size
    const newest = found?.newestAbout(id)
    const received = { id, form: repoForm(given), isHere: local !== undefined, idThere: given.repo_id }
    return receive({ kind: 'repo', ...received }, () =>
      readRepo(given, { id, local, before, reporter, newest, count }),
    )
  }

  function broughtBefore(): number {
    const { keyId: key } = env.self.signer
    brought ??= found === undefined ? 0 : reposBroughtTo(found, { key, isReported: true })
    return brought
  }

  function contract(wire: JsonObject): ReceivedObject {
    const given = ids.contract(read(GivenContract, wire, 'contract'))
    const { contract_id: id, updated_at: at } = given
    const local = found?.contracts.get(id)
    const { shadow } = shadowAt('contract', id)
    // Older than what the peer sent last: two of its calls overtook each other.
    if (local !== undefined && shadow !== undefined && at < shadow.at)
      return { kind: 'contract', id, status: 'skipped', refusal: undefined }
    const isHere = local !== undefined
    return receive({ kind: 'contract', id, at, form: contractForm(given), isHere }, () => {
      reporter.assertTimely(at)
      if (!isHere) assertForeign('contract', id)
      const parties = () => partiesWith(given.proposed_by)
      readContract({ given, local, before: formsHeld(shadow, 'contract'), reporter, parties })
    })
  }

  function packet(wire: JsonObject): ReceivedObject {
    const given = ids.packet(read(GivenPacket, wire, 'packet'))
    const { packet_id: id, from_repo, type, content, related_contracts, reply_to } = given
    const isHere = found?.packets.get(id) !== undefined
    return receive({ kind: 'packet', id, form: packetForm(given), isHere }, () => {
      if (isHere) return
      assertForeign('packet', id)
      if (!reporter.holds(from_repo)) throw notForAnother(agentId, `share a packet of repo ${from_repo}`)
      assertMayName(view, given, env.caller)
      const nonce = derivedNonce('packet', id, from_repo, content)
      const body = { type, related_contracts, reply_to: reply_to ?? null, nonce }
      reporter.say(from_repo, packetKind, { about: id, time: given.timestamp, body, content })
    })
  }

  /** The parts of a whole project, each read separately. */
  const parts = ({ repos, contracts, context_history }: JsonObject): ReceivedObject[] => [
    ...receiveAll(repos, 'repo', repo),
    ...receiveAll(contracts, 'contract', contract),
    ...receiveAll(context_history, 'packet', packet),
  ]

  function receiveAll(
    list: unknown,
    kind: ReceivedObject['kind'],
    receivePart: (part: JsonObject) => ReceivedObject,
  ): ReceivedObject[] {
    const received: ReceivedObject[] = []
    for (const part of Array.isArray(list) ? (list as unknown[]) : []) {
      const id = isJsonObject(part) ? part[`${kind}_id`] : undefined
      const name = { kind, id: typeof id === 'string' ? id.slice(0, 128) : '', status: 'skipped' } as const
      try {
        reporter.assertRoom()
        if (!isJsonObject(part)) throw new Fault('invalid_params', `${kind}: must be a JSON object`)
        received.push(receivePart(part))
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown
        received.push({ ...name, refusal: thrown })
        if (thrown.kind === 'unavailable') break
      }
    }
    return received
  }

  /** Statements from before a refusal are kept; the shadow is not updated, so the object is read again next time. */
  function receive({ kind, id, isHere, ...sent }: ReceivedEntity, report: () => void): ReceivedObject {
    const { name, shadow } = shadowAt(kind, id)
    const before = reporter.says.length
    let refusal: Fault | undefined
    try {
      report()
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      refusal = thrown
    }
    if (refusal === undefined) shadows.push(...recordReceived(shadow, { agentId, name, ...sent }))
    const hasNews = reporter.says.length > before
    return { kind, id, status: !hasNews ? 'skipped' : isHere ? 'updated' : 'created', refusal }
  }

  function shadowAt(kind: ReceivedObject['kind'], id: string) {
    const name: EntityName = { kind, project_id: projectId, id }
    return { name, shadow: shadowOf(view, agentId, name) }
  }

  /** A title is a change by the peer only if the peer was known to have another one. */
  function retitle(given: GivenProject, { project: present }: ProjectView): void {
    const before = formsHeld(shadowAt('project', projectId).shadow, 'project')
    const by = reporter.naming()
    for (const field of ['name', 'objective'] as const) {
      const value = given[field]
      const isKnown = value === present[field] || before.some((form) => form[field] === value)
      if (before.length === 0 || isKnown || by === undefined) continue
      const report = { about: projectId, time: given.updated_at, after: present.updated_at }
      reporter.sayBy(by, titleKind, { ...report, body: { field, value } })
    }
  }

  function partiesWith(author: string): string[] {
    const usual = found === undefined ? [...named] : usualParties(found, author)
    return [...new Set([...usual, author])].sort()
  }

  return { effects, project, repo, contract, packet, parts }
}

interface ReceivedEntity extends Pick<ReceivedForm, 'form' | 'at' | 'idThere'> {
  readonly kind: ReceivedObject['kind']
  readonly id: string
  readonly isHere: boolean
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
