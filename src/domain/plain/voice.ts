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

export interface Report<Body, Content> {
  readonly about: string
  /** When the plain peer says that it was; left out where it does not. */
  readonly time?: Stamp
  /** Something of its own that this follows, whatever its clock says. */
  readonly after?: Stamp | undefined
  readonly body: Body
  readonly content?: Content
}

/** So much is reported of one message; the rest is when it is shown again. */
const MOST_AT_ONCE = 200

/** The first time that a statement can be of. */
const FIRST = '1970-01-01T00:00:00.000000Z' as Stamp

/**
 * What a plain peer does in one project, as statements that this daemon reports: under a claim that it signed for the
 * peer's repo. The same word heard again is the same statement, because all of it comes from what the peer showed.
 */
export class PlainVoice {
  /** What was not known before. */
  readonly says: Unsigned[] = []
  readonly #said = new Set<string>()
  readonly agentId: string
  readonly #projectId: string
  readonly #env: Env
  readonly #found: ProjectView | undefined
  /** Repos that it holds; undefined where another daemon reports what it says. */
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

  /** Whether a repo says by this daemon what it says: nothing of it arrives from elsewhere. */
  isSpokenForHere(repoId: string): boolean {
    const holder = this.#found?.repos.get(repoId)?.holder
    return holder?.reported_by === undefined && holder?.speaks_by.key === this.#env.self.signer.keyId
  }

  /** Founds a project that the peer founded: this daemon then confirms who speaks for which repo of it. */
  found({ name, objective, created_at }: GivenProject): SpeaksBy {
    const { self } = this.#env
    const body = {
      public_key: self.signer.publicKey,
      agent_id: this.agentId,
      reported_by: self.agentId,
      name,
      objective,
      visibility: 'all' as const,
      nonce: derived('project', this.#projectId, name, objective),
    }
    const at = this.#timed(created_at, FIRST)
    const about = this.#projectId
    const founding = sayFirst(
      projectKind,
      { project_id: about, about, at, body: read(projectKind.body, body) },
      this.#env,
    )
    this.#add(founding)
    this.#founder = speaksByOf(founding)
    return this.#founder
  }

  /** By what it names repos: as the founder of the project, or for the repo that it holds. */
  get naming(): SpeaksBy | undefined {
    return this.asFounder ?? [...this.#held.values()].find((by) => by !== undefined)
  }

  /** The founder's voice, where this daemon has it because it heard of the project from this very peer. */
  get asFounder(): SpeaksBy | undefined {
    const isItsProject =
      this.#found === undefined ||
      (this.#found.project.created_by === this.agentId && this.#found.project.reported_by !== undefined)
    return isItsProject ? this.#founder : undefined
  }

  /** Nobody holds the repo, and the peer says that it does. It tells no time of that: now, or when it founded the project. */
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

  /** Reports what it says for one of its repos. */
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
    const said = {
      about,
      at,
      body: read(kind.body, body),
      ...(content === undefined || kind.content === undefined
        ? {}
        : { content: read(kind.content, content) }),
    }
    const newNonce = () => derived(kind.name, about, by.introduction, body, content)
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

  /** As the peer says, but neither before the claim nor ahead of this clock. */
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
      : forAnother(this.agentId, `speak for repo ${repoId}`)
  }
}

export const forAnother = (agentId: string, what: string): Fault =>
  new Fault(
    'forbidden',
    `${agentId} cannot ${what}: a peer that signs nothing speaks for its own repo only`,
    {
      next: 'Whoever holds that repo says it; it arrives from there with cacp/sync/statements',
    },
  )

/** 16 bytes of text that come from what is said: the same word has the same id whenever it is heard. */
export const derived = (...from: readonly unknown[]): string => hashOf(from).slice(0, 22)

/** Nobody would take a statement that its kind does not allow. */
function read<Value>(schema: Kind<Value>['body'], value: Value): Value {
  const { error } = schema.safeParse(value)
  if (error === undefined) return value
  throw new Fault('invalid_params', describeIssue(error))
}
