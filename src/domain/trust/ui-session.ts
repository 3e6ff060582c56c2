import { Fault } from '../../protocol/fault.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import type { Decision, LocalChange } from '../change.ts'
import type { Caller, Self } from '../env.ts'
import type { View } from '../view.ts'
import { hashOfSecret } from './keys.ts'
import type { UiSession } from './trust.ts'

/**
 * Sessions of people who use the dashboard in a browser. A session has two halves, both random: the browser keeps one
 * as a cookie, which it also sends to other ports of this machine, and the page keeps the other one for its own origin.
 */

/** 32 random bytes in base64url, as both halves and login codes are written. */
export const SECRET_TEXT = /^[A-Za-z0-9_-]{43}$/

interface Halves {
  readonly cookie: string
  readonly token: string
}

const hashOfHalves = ({ cookie, token }: Halves): string => hashOfSecret(cookie + token)

const idOfHash = (hash: string): string => hash.slice(0, 8)

/** When it ends unless it is used before that; never more than the longest lifetime after its beginning. */
export function endOf({ created_at, used_at }: UiSession): Stamp {
  const idle = addMicros(used_at, LIMITS.uiSessionIdleSeconds * 1_000_000)
  const longest = addMicros(created_at, LIMITS.uiSessionSeconds * 1_000_000)
  return idle < longest ? idle : longest
}

/** What a session needs to be valid now: the operator key under which it began has not been replaced. */
export interface SessionRules {
  readonly now: Stamp
  readonly keyHash: string
}

export const isLiveSession = (session: UiSession, { now, keyHash }: SessionRules): boolean =>
  session.key_hash === keyHash && endOf(session) > now

/** The live session of these halves. */
export function sessionOf(
  halves: Halves,
  view: Pick<View, 'sessions'>,
  rules: SessionRules,
): UiSession | undefined {
  const hash = hashOfHalves(halves)
  const session = view.sessions.get(idOfHash(hash))
  return session?.hash === hash && isLiveSession(session, rules) ? session : undefined
}

/** The person who has this session: may do what the operator may, as the agent of this daemon, and is marked. */
export const personOf = (
  { session_id: session }: UiSession,
  { agentId, repo }: Pick<Self, 'agentId' | 'repo'>,
): Caller => ({ kind: 'operator', agentId, repoName: repo, credential: session, person: { session } })

interface Beginning extends SessionRules, Halves {
  readonly userAgent: string
}

/** Begins a session. Sessions that are over are removed; beyond the limit, those that were not used for longest. */
export function beginSession(
  view: View,
  { userAgent, now, keyHash, ...halves }: Beginning,
): Decision<UiSession> {
  const hash = hashOfHalves(halves)
  const session: UiSession = {
    session_id: idOfHash(hash),
    hash,
    created_at: now,
    used_at: now,
    user_agent: userAgent.slice(0, LIMITS.nameLength),
    key_hash: keyHash,
  }
  const live = sessionsIn(view, { now, keyHash })
  const kept = new Set(live.slice(0, LIMITS.uiSessions - 1))
  const gone = [...view.sessions.oldestFirst()].filter((one) => !kept.has(one))
  return { result: session, local: [...gone.map(ending), keeping(session)] }
}

/** The live sessions, the one that was used last first. */
export const sessionsIn = (view: Pick<View, 'sessions'>, rules: SessionRules): UiSession[] =>
  [...view.sessions.oldestFirst()]
    .filter((session) => isLiveSession(session, rules))
    .sort((one, other) => compareText(other.used_at, one.used_at))

/** Notes that a session is used now. */
export function useSession(view: View, sessionId: string, now: Stamp): Decision<void> {
  const session = view.sessions.get(sessionId)
  const local = session === undefined ? [] : [keeping({ ...session, used_at: now })]
  return { result: undefined, local }
}

/** Ends all: whoever replaces a key of this daemon cannot say who else has what that key stands for. */
export const endingAllSessions = (view: View): LocalChange[] =>
  Array.from(view.sessions.oldestFirst(), ending)

/** Ends one session, or all of them. */
export function endSessions(view: View, sessionId: string | undefined): Decision<UiSession[]> {
  if (sessionId === undefined)
    return { result: [...view.sessions.oldestFirst()], local: endingAllSessions(view) }
  const session = view.sessions.get(sessionId)
  if (session === undefined)
    throw new Fault('not_found', `sessionId: there is no session ${sessionId} of the dashboard`, {
      next: 'List the sessions with cacp/ui/sessions',
      data: { field: 'sessionId', call: { method: 'cacp/ui/sessions', params: {} } },
    })
  return { result: [session], local: [ending(session)] }
}

const keeping = (session: UiSession): LocalChange => ({
  table: 'session',
  id: session.session_id,
  value: session,
})

const ending = ({ session_id: id }: UiSession): LocalChange => ({ table: 'session', id, value: null })
