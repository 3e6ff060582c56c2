import { Fault } from '../../protocol/fault.ts'
import { hashOf } from '../../protocol/json/canonical.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, type Stamp, stampAfter } from '../../protocol/stamp.ts'
import type { Env } from '../env.ts'
import { claimRepo, confirmClaim } from '../repo/repo.ts'
import { assertRoom as assertRoomIn, SHARES } from '../speaking/speaking.ts'
import type { Kind } from '../statements/kind.ts'
import { project as projectKind } from '../statements/project.ts'
import { type SpeaksBy, say, sayFirst, speaksByOf, type Unsigned } from '../statements/say.ts'
import { describeIssue } from '../statements/statement.ts'
import type { ProjectView } from '../view.ts'
import type { GivenProject } from './given.ts'

interface Report<Body, Content> {
  readonly about: string
  /** The time that the peer gives, if any. */
  readonly time?: Stamp
  /** The time of an earlier statement that this one follows, whatever the peer's clock says. */
  readonly after?: Stamp | undefined
  readonly body: Body
  readonly content?: Content
}

/** Most statements from one message; the rest is reported when the peer sends it again. */
const MOST_AT_ONCE = 200

/** The earliest time that a statement can have. */
const EARLIEST_TIME = '1970-01-01T00:00:00.000000Z' as Stamp

export type PlainPeerReporter = ReturnType<typeof plainPeerReporter>

/**
 * Turns what a plain peer does in one project into statements that this daemon signs, under a claim that it made for
 * the peer's repo. Everything in them is derived from what the peer sent, so that the same message leads to the same
 * statements.
 */
export function plainPeerReporter(found: ProjectView | undefined, projectId: string, env: Env) {
  const { self, caller } = env
  const { agentId } = caller
  /** The statements that were not known before. */
  const says: Unsigned[] = []
  const said = new Set<string>()
  /** Repos that the peer holds, most agents one, in the order of their names; undefined if another daemon reports for it. */
  const held = new Map<string, SpeaksBy | undefined>()
  for (const { repo_id, holder } of found?.repos.oldestFirst() ?? []) {
    if (holder?.agent_id !== agentId) continue
    const isOurs = holder.speaks_by.key === self.signer.keyId && holder.reported_by !== undefined
    held.set(repo_id, isOurs ? holder.speaks_by : undefined)
  }
  let founder = found?.project.founder.key === self.signer.keyId ? found.project.founder : undefined

  const repos = (): string[] => [...held.keys()]

  const holds = (repoId: string): boolean => held.has(repoId)

  /** Whether this daemon signs for the repo's own agent, so that no statements of it arrive from elsewhere. */
  function isSignedHere(repoId: string): boolean {
    const holder = found?.repos.get(repoId)?.holder
    return holder?.reported_by === undefined && holder?.speaks_by.key === self.signer.keyId
  }

  /** Makes the founding of the peer's project: this daemon then confirms who speaks for which repo of it. */
  function reportFounding({ name, objective, created_at }: GivenProject): void {
    const body = {
      public_key: self.signer.publicKey,
      agent_id: agentId,
      reported_by: self.agentId,
      name,
      objective,
      visibility: 'all' as const,
      nonce: derivedNonce('project', projectId, name, objective),
    }
    const at = timed(created_at, EARLIEST_TIME)
    assertFits(projectKind.body, body)
    const founding = sayFirst(projectKind, { project_id: projectId, about: projectId, at, body }, env)
    add(founding)
    founder = speaksByOf(founding)
  }

  /** What the peer names repos by: as the founder of the project, or for the repo that it holds. */
  const naming = (): SpeaksBy | undefined => asFounder() ?? [...held.values()].find((by) => by !== undefined)

  /** What the peer speaks by as the founder, if this daemon reported its founding. */
  function asFounder(): SpeaksBy | undefined {
    const isItsProject =
      found === undefined || (found.project.created_by === agentId && found.project.reported_by !== undefined)
    return isItsProject ? founder : undefined
  }

  /** Claims a repo that nobody holds for the peer. The peer gives no time: it is now, or that of the founding. */
  function claim(repoName: string, endpoint: string | null): void {
    const place = { newestAbout: (id: string) => found?.newestAbout(id) }
    const now = found === undefined ? (founder?.since ?? env.now) : env.now
    const then = { ...env, now }
    const made = claimRepo(place, { projectId, repoName, agentId, endpoint, isReported: true }, then)
    add(made)
    held.set(made.about, speaksByOf(made))
    if (founder !== undefined) add(confirmClaim(place, founder, made, then))
  }

  /** Reports a statement for one of the peer's repos. */
  function sayFor<Body, Content>(
    repoId: string,
    kind: Kind<Body, Content>,
    report: Report<Body, Content>,
  ): Unsigned {
    const by = held.get(repoId)
    if (by === undefined) throw notOurs(repoId)
    return sayBy(by, kind, report)
  }

  function sayBy<Body, Content>(
    by: SpeaksBy,
    kind: Kind<Body, Content>,
    { about, time = env.now, after, body, content }: Report<Body, Content>,
  ): Unsigned {
    if (found !== undefined) assertRoomIn(found, by, SHARES.reports)
    const past = timed(time, by.since)
    const at = after === undefined ? past : stampAfter(past, after)
    assertFits(kind.body, body)
    if (content !== undefined && kind.content !== undefined) assertFits(kind.content, content)
    const saying = { about, at, body, ...(content === undefined ? {} : { content }) }
    const newNonce = () => derivedNonce(kind.name, about, by.introduction, body, content)
    const statement = say(kind, by, saying, { newNonce })
    add(statement)
    return statement
  }

  function assertRoom(): void {
    if (says.length < MOST_AT_ONCE) return
    throw new Fault('unavailable', `It shows more than ${MOST_AT_ONCE} things that are new here`, {
      next: 'Send it again: the rest is taken then',
    })
  }

  function add(statement: Unsigned): void {
    const { id } = statement
    if (found?.said.get(id) !== undefined || said.has(id)) return
    assertRoom()
    said.add(id)
    says.push(statement)
  }

  /** The time that the peer gives, but neither before the claim nor ahead of this clock. */
  function timed(time: Stamp, since: Stamp): Stamp {
    assertTimely(time)
    const past = time > env.now ? env.now : time
    return past > since ? past : since
  }

  function assertTimely(time: Stamp): void {
    if (time <= addMicros(env.now, LIMITS.clockAheadSeconds * 1_000_000)) return
    throw new Fault(
      'unavailable',
      `It is stamped ${time}, which is more than ${LIMITS.clockAheadSeconds / 60} minutes ahead of this clock`,
      { next: 'Set the clocks right, then send it again' },
    )
  }

  function notOurs(repoId: string): Fault {
    const holder = found?.repos.get(repoId)?.holder
    const by = holder?.reported_by ?? holder?.agent_id ?? 'nobody'
    return holds(repoId)
      ? new Fault('forbidden', `What ${agentId} says is reported by ${by}, which speaks for its repo`, {
          next: 'It arrives from there with cacp/sync/statements',
        })
      : notForAnother(agentId, `speak for repo ${repoId}`)
  }

  return {
    agentId,
    says: says as readonly Unsigned[],
    repos,
    holds,
    isSignedHere,
    found: reportFounding,
    naming,
    asFounder,
    claim,
    say: sayFor,
    sayBy,
    assertRoom,
    assertTimely,
  }
}

export const notForAnother = (agentId: string, what: string): Fault =>
  new Fault(
    'forbidden',
    `${agentId} cannot ${what}: a peer that signs nothing speaks for its own repo only`,
    { next: 'Whoever holds that repo says it; it arrives from there with cacp/sync/statements' },
  )

/** 16 bytes of text derived from the content, so that the same content always has the same id. */
export const derivedNonce = (...from: readonly unknown[]): string => hashOf(from).slice(0, 22)

/** Refuses a statement that its kind does not allow, because no daemon would admit it. */
function assertFits<Value>(schema: Kind<Value>['body'], value: Value): void {
  const { error } = schema.safeParse(value)
  if (error !== undefined) throw new Fault('invalid_params', describeIssue(error))
}
