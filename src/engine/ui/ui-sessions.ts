import type { UiSession } from '../../domain/trust/trust.ts'
import {
  beginSession,
  endSessions,
  type SessionRules,
  sessionOf,
  sessionsIn,
  useSession,
} from '../../domain/trust/ui-session.ts'
import { Fault } from '../../protocol/fault.ts'
import { secondsBetween } from '../../protocol/stamp.ts'
import type { Store } from '../ports/ports.ts'
import { type CodeUse, createLoginCodes, type LoginCodesDeps } from './login-codes.ts'

export interface UiSessionsDeps extends LoginCodesDeps {
  readonly store: Pick<Store, 'commit' | 'view'>
  /** SHA-256 of the operator key. */
  readonly keyHash: string
  /** Called when sessions were ended. */
  readonly onEnded: () => void
}

export type UiSessions = ReturnType<typeof createUiSessions>

/** Every use would be a write; how long a session lasts without one does not depend on minutes. */
const NOTED_EVERY_SECONDS = 10 * 60

/** The sessions of people in browsers: begun with a code, found by their two halves, ended by whoever may. */
export function createUiSessions(deps: UiSessionsDeps) {
  const { store, clock, keyHash, newSecret, onEnded } = deps
  const codes = createLoginCodes(deps)
  /** Those of which a use is being written. */
  const noting = new Set<string>()
  const rules = (): SessionRules => ({ now: clock.now(), keyHash })

  function noteUse({ session_id: id, used_at }: UiSession): void {
    const now = clock.now()
    if (secondsBetween(used_at, now) < NOTED_EVERY_SECONDS || noting.has(id)) return
    noting.add(id)
    store
      .commit((view) => useSession(view, id, now))
      .catch(() => {}) // the next use is noted in its place
      .finally(() => noting.delete(id))
  }

  return {
    codes,

    /** Returns both halves of the session as well, which are told once. */
    async begin(code: string, from: Omit<CodeUse, 'sessionId'>) {
      const codeId = codes.take(code)
      if (codeId === undefined)
        throw new Fault(
          'unauthorized',
          'code: it was used already, or its minute is over, or it never was one',
          { next: 'Run `cacpd ui` again: it makes a new one', data: { field: 'code' } },
        )
      const halves = { cookie: newSecret(), token: newSecret() }
      const beginning = { ...halves, ...rules(), userAgent: from.userAgent }
      const session = await store.commit((view) => beginSession(view, beginning))
      codes.noteUse(codeId, { sessionId: session.session_id, ...from })
      return { session, ...halves }
    },

    /** The session of this token and one of these cookies. */
    find(cookies: readonly string[], token: string): UiSession | undefined {
      for (const cookie of cookies) {
        const session = sessionOf({ cookie, token }, store.view, rules())
        if (session === undefined) continue
        noteUse(session)
        return session
      }
      return undefined
    },

    list: () => sessionsIn(store.view, rules()),

    async end(sessionId: string | undefined): Promise<readonly UiSession[]> {
      const ended = await store.commit((view) => endSessions(view, sessionId))
      onEnded()
      return ended
    },
  }
}
