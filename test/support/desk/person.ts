import type { Caller } from '../../../src/domain/env.ts'
import { beginSession, personOf } from '../../../src/domain/trust/ui-session.ts'
import { type CallAs, type Desk, SELF } from './desk.ts'

let count = 0

/** A person at the dashboard of the desk's daemon, in a session of its own. */
export async function personAt(desk: Desk): Promise<{ call: CallAs; caller: Caller }> {
  const halves = { cookie: `cookie ${++count}`, token: 'token' }
  const beginning = { ...halves, userAgent: 'a browser', now: desk.clock.now(), keyHash: 'key' }
  const session = await desk.store.commit((view) => beginSession(view, beginning))
  const caller = personOf(session, SELF)
  return { caller, call: (method, params) => desk.send(method, params, { caller }) as never }
}
