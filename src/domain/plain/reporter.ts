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

/**
 * Turns what a plain peer does in one project into statements that this daemon signs, under a claim that it made for
 * the peer's repo. Everything in them is derived from what the peer sent, so that the same message leads to the same
 * statements.
 */
export class PlainPeerReporter {
  /** The statements that were not known before. */
  readonly says: Unsigned[] = []
  readonly #said = new Set<string>()
  readonly agentId: string
  readonly #projectId: string
  readonly #env: Env
  readonly #found: ProjectView | undefined
  /** Repos that the peer holds; undefined if another daemon reports for it. */
  readonly #held = new Map<string, SpeaksBy | undefined>()
  #founder: SpeaksBy | undefined

  constructor(found: ProjectView | undefined, projectId: string, agentId: string, env: Env) {
    this.agentId = agentId
    this.#projectId = projectId
    this.#env = env
    this.#found = found
    if (found === undefined) return
    const { founder } = found.project
    if (founder.key === env.self.signer.keyId) this.#founder = founder
    for (const { repo_id, holder } of found.repos.oldestFirst()) {
      if (holder?.agent_id !== agentId) continue
      const isOurs = holder.speaks_by.key === env.self.signer.keyId && holder.reported_by !== undefined
      this.#held.set(repo_id, isOurs ? holder.speaks_by : undefined)
    }
  }

  /** In the order of their names; most agents hold one. */
  get repos(): string[] {
    return [...this.#held.keys()]
  }

  holds(repoId: string): boolean {
    return this.#held.has(repoId)
  }

  /** Whether this daemon signs for the repo's own agent, so that no statements of it arrive from elsewhere. */
  isSignedHere(repoId: string): boolean {
    const holder = this.#found?.repos.get(repoId)?.holder
    return holder?.reported_by === undefined && holder?.speaks_by.key === this.#env.self.signer.keyId
  }

  /** Makes the founding of the peer's project: this daemon then confirms who speaks for which repo of it. */
  found({ name, objective, created_at }: GivenProject): SpeaksBy {
    const { self } = this.#env
    const body = {
      public_key: self.signer.publicKey,
      agent_id: this.agentId,
      reported_by: self.agentId,
      name,
      objective,
      visibility: 'all' as const,
      nonce: derivedNonce('project', this.#projectId, name, objective),
    }
    const at = this.#timed(created_at, EARLIEST_TIME)
    const about = this.#projectId
    assertFits(projectKind.body, body)
    const founding = sayFirst(projectKind, { project_id: about, about, at, body }, this.#env)
    this.#add(founding)
    this.#founder = speaksByOf(founding)
    return this.#founder
  }

  /** What the peer names repos by: as the founder of the project, or for the repo that it holds. */
  get naming(): SpeaksBy | undefined {
    return this.asFounder ?? [...this.#held.values()].find((by) => by !== undefined)
  }

  /** What the peer speaks by as the founder, if this daemon reported its founding. */
  get asFounder(): SpeaksBy | undefined {
    const isItsProject =
      this.#found === undefined ||
      (this.#found.project.created_by === this.agentId && this.#found.project.reported_by !== undefined)
    return isItsProject ? this.#founder : undefined
  }

  /** Claims a repo that nobody holds for the peer. The peer gives no time: it is now, or that of the founding. */
  claim(repoName: string, endpoint: string | null): void {
    const { agentId } = this
    const projectId = this.#projectId
    const place = { newestAbout: (id: string) => this.#found?.newestAbout(id) }
    const founder = this.#founder
    const now = this.#found === undefined ? (founder?.since ?? this.#env.now) : this.#env.now
    const env = { ...this.#env, now }
    const claim = claimRepo(place, { projectId, repoName, agentId, endpoint, isReported: true }, env)
    this.#add(claim)
    this.#held.set(claim.about, speaksByOf(claim))
    if (founder !== undefined) this.#add(confirmClaim(place, founder, claim, env))
  }

  /** Reports a statement for one of the peer's repos. */
  say<Body, Content>(repoId: string, kind: Kind<Body, Content>, report: Report<Body, Content>): Unsigned {
    const by = this.#held.get(repoId)
    if (by === undefined) throw this.#notOurs(repoId)
    return this.sayBy(by, kind, report)
  }

  sayBy<Body, Content>(
    by: SpeaksBy,
    kind: Kind<Body, Content>,
    { about, time = this.#env.now, after, body, content }: Report<Body, Content>,
  ): Unsigned {
    if (this.#found !== undefined) assertRoomIn(this.#found, by, SHARES.reports)
    const timed = this.#timed(time, by.since)
    const at = after === undefined ? timed : stampAfter(timed, after)
    assertFits(kind.body, body)
    if (content !== undefined && kind.content !== undefined) assertFits(kind.content, content)
    const said = { about, at, body, ...(content === undefined ? {} : { content }) }
    const newNonce = () => derivedNonce(kind.name, about, by.introduction, body, content)
    const statement = say(kind, by, said, { newNonce })
    this.#add(statement)
    return statement
  }

  assertRoom(): void {
    if (this.says.length < MOST_AT_ONCE) return
    throw new Fault('unavailable', `It shows more than ${MOST_AT_ONCE} things that are new here`, {
      next: 'Send it again: the rest is taken then',
    })
  }

  #add(statement: Unsigned): void {
    const { id } = statement
    if (this.#found?.said.get(id) !== undefined || this.#said.has(id)) return
    this.assertRoom()
    this.#said.add(id)
    this.says.push(statement)
  }

  /** The time that the peer gives, but neither before the claim nor ahead of this clock. */
  #timed(time: Stamp, since: Stamp): Stamp {
    this.assertTimely(time)
    const { now } = this.#env
    const past = time > now ? now : time
    return past > since ? past : since
  }

  assertTimely(time: Stamp): void {
    if (time <= addMicros(this.#env.now, LIMITS.clockAheadSeconds * 1_000_000)) return
    throw new Fault(
      'unavailable',
      `It is stamped ${time}, which is more than ${LIMITS.clockAheadSeconds / 60} minutes ahead of this clock`,
      { next: 'Set the clocks right, then send it again' },
    )
  }

  #notOurs(repoId: string): Fault {
    const holder = this.#found?.repos.get(repoId)?.holder
    const by = holder?.reported_by ?? holder?.agent_id ?? 'nobody'
    return this.holds(repoId)
      ? new Fault('forbidden', `What ${this.agentId} says is reported by ${by}, which speaks for its repo`, {
          next: 'It arrives from there with cacp/sync/statements',
        })
      : notForAnother(this.agentId, `speak for repo ${repoId}`)
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
