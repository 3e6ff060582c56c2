import { statementsForNonMember } from '../../../domain/delivery/visibility.ts'
import type { Caller } from '../../../domain/env.ts'
import { maySee, presentViewerOf } from '../../../domain/lookup.ts'
import type { Peer } from '../../../domain/model.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import type { ProjectView } from '../../../domain/view.ts'
import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { Parts } from '../../parts.ts'
import type { Clock } from '../../ports/ports.ts'
import { isTooMuch } from '../intake/judging.ts'
import type { Conversation } from '../peer/conversation.ts'
import { bucketDigests, bucketOf, type Form, idOfForm } from './digests.ts'

interface RepairDeps extends Pick<Parts, 'digests' | 'view' | 'intake' | 'rules' | 'pause'> {
  clock: Pick<Clock, 'now'>
}

/** One comparison with one peer. */
export interface Comparison {
  conversation: Conversation
  peer: Peer
  /** Of the peer's process, if it says. */
  bootId: string | undefined
  /** Of what it was found to lack, or may hear and perhaps has. */
  hand(statements: readonly Statement[]): Promise<void>
}

interface DifferingProject {
  readonly projectId: string
  /** Of buckets. */
  readonly count: number
  readonly theirDigest: string
  /** Whether the peer may see the project. */
  readonly mayHear: boolean
}

/** Statements asked for in one call. */
const FETCH_ITEMS = 400
const MOST_TOO_MUCH = 100_000
const MOST_NOTHING_NEW = 10_000
/** In comparisons. */
const FORGOTTEN_AFTER = 64

export type Repair = ReturnType<typeof createRepair>

/**
 * Finds what differs between two daemons without sending it: digests of projects, then of buckets, then ids. What the
 * peer has is fetched and taken in like anything that is sent; what is here is handed to the peer. Mends whatever the
 * cursors missed, for whatever reason.
 */
export function createRepair({ digests, view, intake, rules, pause, clock }: RepairDeps) {
  /** Ids of what was fetched in vain, because its key has said too much: to be fetched only now and then. */
  const tooMuch = new Set<string>()
  let comparisons = 0
  /** By peer and project that it may not see: the digest of what it has, of which nothing is missing here. */
  const nothingNew = new Map<string, string>()

  return { run }

  async function run(comparison: Comparison): Promise<void> {
    if (++comparisons % FORGOTTEN_AFTER === 0) tooMuch.clear()
    const theirs = projectsIn(await comparison.conversation.call('cacp/sync/digest', {}))
    const ours = await digests.totals()
    for (const projectId of new Set([...ours.keys(), ...theirs.keys()])) {
      const found = view.projects.get(projectId)
      const mayHear = found === undefined || maySee(found, presentViewerOf(comparison.peer, view))
      if (!mayHear) await tellOutside(found, comparison)
      const mine = ours.get(projectId)
      const their = theirs.get(projectId)
      if (mine?.digest === their?.digest) continue
      const most = Math.ceil(Math.max(mine?.count ?? 0, their?.count ?? 0) / rules.bucketSize)
      const dealt = { projectId, count: Math.min(Math.max(most, 1), 65_536) }
      if (their !== undefined) await mend({ ...dealt, theirDigest: their.digest, mayHear }, comparison)
      else if (mayHear) await comparison.hand(kept(projectId, await digests.forms(projectId)))
    }
  }

  /** One that may not see a project, and still has it, gives what is missing here and gets nothing. */
  async function mend(
    { projectId, count, theirDigest, mayHear }: DifferingProject,
    comparison: Comparison,
  ): Promise<void> {
    const known = `${comparison.peer.agent_id} ${projectId}`
    if (!mayHear && nothingNew.get(known) === theirDigest) return
    const { conversation } = comparison
    const dealt = await bucketDigests(await digests.forms(projectId), count, pause)
    const { digests: theirDigests } = await conversation.call('cacp/sync/buckets', { projectId, count })
    const differing = dealt.flatMap((digest, bucket) =>
      Array.isArray(theirDigests) && theirDigests[bucket] === digest ? [] : [bucket],
    )
    if (differing.length === 0) return
    const buckets = new Set(differing)
    const { ids } = await conversation.call('cacp/sync/keys', { projectId, count, buckets: differing })
    const theirs = new Set(listOf(ids).map(String))
    const ours = new Set(await digests.forms(projectId))
    const wanted = [...theirs].filter((form) => !ours.has(form) && !tooMuch.has(idOfForm(form)))
    await fetchFrom(comparison, projectId, wanted)
    if (!mayHear) {
      if (wanted.length === 0) nothingNew.set(known, theirDigest)
      dropOldest(nothingNew, MOST_NOTHING_NEW)
      return
    }
    // Taken again: what was fetched need not go back.
    const now = [...(await digests.forms(projectId))]
    const missing = now.filter((form) => buckets.has(bucketOf(form, count)) && !theirs.has(form))
    await comparison.hand(kept(projectId, missing))
  }

  /** One that may not see a project cannot compare it, and is told the little that it may hear. */
  async function tellOutside(found: ProjectView, comparison: Comparison): Promise<void> {
    const viewer = presentViewerOf(comparison.peer, view)
    const heard = new Set(Array.from(statementsForNonMember(found, viewer), ({ id }) => id))
    if (heard.size === 0) return
    const { project_id: projectId } = found.project
    const onDisk = Array.from(await digests.forms(projectId))
    const forms = onDisk.filter((form) => heard.has(idOfForm(form)))
    await comparison.hand(kept(projectId, forms))
  }

  function kept(projectId: string, forms: Iterable<Form>): Statement[] {
    const said = view.projects.get(projectId)?.said
    return Array.from(forms, (form) => said?.get(idOfForm(form))).filter((one) => one !== undefined)
  }

  /** Takes what the peer has as if it had sent it: whoever it is, only what authors signed can come by it. */
  async function fetchFrom(
    { conversation, peer, bootId }: Comparison,
    projectId: string,
    wanted: readonly Form[],
  ): Promise<void> {
    const { agent_id: agentId, repo_name: repoName } = peer
    const caller: Caller = { kind: 'peer', agentId, repoName }
    for (let next = 0; next < wanted.length; ) {
      const ids = wanted.slice(next, next + FETCH_ITEMS).map(idOfForm)
      const { statements } = await conversation.call('cacp/sync/fetch', { projectId, ids, now: clock.now() })
      const texts = listOf(statements).filter((one) => typeof one === 'string')
      const taken = texts.slice(0, ids.length)
      const outcomes = await intake.take(taken, { caller, bootId })
      for (const [index, one] of outcomes.entries())
        if (one.status === 'refused' && isTooMuch(one.reason)) noteTooMuch(taken[index])
      // None are given of those that would be refused here as too far ahead.
      next += texts.length === 0 ? ids.length : texts.length
    }
  }

  /** Of a text that was read as a statement. */
  function noteTooMuch(text = ''): void {
    const { id } = JSON.parse(text) as Statement
    if (tooMuch.size < MOST_TOO_MUCH) tooMuch.add(id)
  }
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

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
