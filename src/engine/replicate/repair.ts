import type { Caller } from '../../domain/env.ts'
import { maySee } from '../../domain/lookup.ts'
import type { Peer } from '../../domain/model.ts'
import type { View } from '../../domain/view.ts'
import { HANDOVERS } from '../../methods/handover.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'
import type { Dispatch } from '../dispatch.ts'
import type { SequencedChange } from '../ports.ts'
import type { Conversation } from './conversation.ts'
import { bucketDigests, bucketOf, type Digests } from './digests.ts'
import type { ReplicationRules } from './rules.ts'

export interface RepairDeps {
  digests: Digests
  log: ChangeLog
  view: View
  dispatch: Dispatch
  rules: ReplicationRules
}

type Hand = (changes: readonly SequencedChange[]) => Promise<void>

/** Entities asked for in one call. */
const FETCH_ITEMS = 100

/**
 * Finds what differs between two daemons without sending it: digests of projects, then of buckets, then hashes.
 * What the peer has is fetched and merged here; what is here is handed to the peer. Mends whatever the
 * cursors missed, for whatever reason.
 */
export class Repair {
  readonly #deps: RepairDeps

  constructor(deps: RepairDeps) {
    this.#deps = deps
  }

  async run(conversation: Conversation, peer: Peer, hand: Hand): Promise<void> {
    const theirs = projectsIn(await conversation.call('cacp/sync/digest', {}))
    const ours = await this.#deps.digests.totals()
    for (const projectId of new Set([...ours.keys(), ...theirs.keys()])) {
      const found = this.#deps.view.projects.get(projectId)
      if (found !== undefined && !maySee(found, { kind: 'peer', repoName: peer.repo_name })) continue
      const mine = ours.get(projectId)
      const their = theirs.get(projectId)
      if (mine?.digest === their?.digest) continue
      const count = Math.ceil(Math.max(mine?.count ?? 0, their?.count ?? 0) / this.#deps.rules.bucketSize)
      await this.#mend(
        { projectId, count: Math.min(Math.max(count, 1), 65_536), isThere: their !== undefined },
        {
          conversation,
          peer,
          hand,
        },
      )
    }
  }

  async #mend(
    { projectId, count, isThere }: { projectId: string; count: number; isThere: boolean },
    { conversation, peer, hand }: { conversation: Conversation; peer: Peer; hand: Hand },
  ): Promise<void> {
    const ours = await this.#deps.digests.hashes(projectId)
    if (!isThere) return hand(this.#changesOf(ours.keys()))

    const digests = bucketDigests(ours, count)
    const { digests: theirDigests } = await conversation.call('cacp/sync/buckets', { projectId, count })
    const differing = digests.flatMap((digest, bucket) =>
      Array.isArray(theirDigests) && theirDigests[bucket] === digest ? [] : [bucket],
    )
    const theirs = keysIn(
      await conversation.call('cacp/sync/keys', { projectId, count, buckets: differing }),
      projectId,
    )
    const wanted = [...theirs.values()].filter(({ key, hash }) => ours.get(key) !== hash)
    await this.#fetch(projectId, wanted, { conversation, peer })

    const buckets = new Set(differing)
    // Taken again: what was fetched and is now the same on both sides need not go back.
    const merged = await this.#deps.digests.hashes(projectId)
    const missing = [...merged.keys()].filter(
      (key) => buckets.has(bucketOf(key, count)) && theirs.get(key)?.hash !== merged.get(key),
    )
    await hand(this.#changesOf(missing))
  }

  #changesOf(keys: Iterable<string>): SequencedChange[] {
    const changes = Array.from(keys, (key) => this.#deps.log.get(key)).filter(
      (change) => change !== undefined,
    )
    return changes.sort(byRank)
  }

  /** Merges what the peer has, as if it had sent it itself: the same checks, the same path. */
  async #fetch(
    projectId: string,
    wanted: readonly TheirKey[],
    { conversation, peer }: { conversation: Conversation; peer: Peer },
  ): Promise<void> {
    const caller: Caller = { kind: 'peer', agentId: peer.agent_id, repoName: peer.repo_name }
    const sorted = [...wanted].sort(byRank)
    for (let next = 0; next < sorted.length; ) {
      const keys = sorted.slice(next, next + FETCH_ITEMS).map(({ kind, id }) => [kind, id])
      const { calls } = await conversation.call('cacp/sync/fetch', { projectId, keys })
      if (!Array.isArray(calls) || calls.length === 0) return
      for (const call of calls.slice(0, keys.length).filter(isJsonObject)) {
        const method = IS_HANDOVER.has(String(call['method'])) ? String(call['method']) : ''
        await this.#deps
          .dispatch({ method, params: call['params'], caller, idempotencyKey: undefined })
          .catch(() => {})
      }
      next += calls.length
    }
  }
}

/** What others need comes first: nothing is taken of a project that is not there, nor shown to a repo that is not. */
const FIRST = ['project', 'repo']
const rankOf = ({ kind }: { kind: string }): number =>
  FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length
const byRank = (a: { kind: string }, b: { kind: string }): number => rankOf(a) - rankOf(b)

const IS_HANDOVER = new Set<string>(HANDOVERS)

interface TheirKey {
  readonly key: string
  readonly kind: string
  readonly id: string
  readonly hash: string
}

function projectsIn({ projects }: JsonObject): Map<string, { digest: string; count: number }> {
  return new Map(
    listOf(projects)
      .filter(isJsonObject)
      .map(({ projectId, digest, count }) => [
        String(projectId),
        { digest: String(digest), count: typeof count === 'number' ? count : 0 },
      ]),
  )
}

function keysIn({ keys }: JsonObject, project_id: string): Map<string, TheirKey> {
  return new Map(
    listOf(keys).map((triple) => {
      const [kind, id, hash] = listOf(triple).map(String)
      const key = entityKey({ kind: kind as SequencedChange['kind'], project_id, id: id ?? '' })
      return [key, { key, kind: kind ?? '', id: id ?? '', hash: hash ?? '' }]
    }),
  )
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
