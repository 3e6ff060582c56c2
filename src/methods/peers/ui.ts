import * as z from 'zod'
import type { Caller } from '../../domain/env.ts'
import type { UiSession } from '../../domain/trust/trust.ts'
import { endOf } from '../../domain/trust/ui-session.ts'
import { Flag, listOf, When } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

/** The sessions of people who use the dashboard in a browser; `cacpd ui` begins them. */

const SessionShape = z.object({
  sessionId: z.string(),
  createdAt: When,
  usedAt: When.describe('noted every ten minutes'),
  expiresAt: When.describe('unless it is used before'),
  userAgent: z.string().describe('what the browser calls itself'),
  isOwn: z.boolean().describe('whether this call was made with it'),
})

const EXAMPLE_SESSION = {
  sessionId: '1f3a5c7d',
  createdAt: EXAMPLE.time,
  usedAt: EXAMPLE.time,
  expiresAt: '2026-11-23T09:00:00.000000Z',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  isOwn: false,
}

const shown = (session: UiSession, { person }: Caller): z.output<typeof SessionShape> => ({
  sessionId: session.session_id,
  createdAt: session.created_at,
  usedAt: session.used_at,
  expiresAt: endOf(session),
  userAgent: session.user_agent,
  isOwn: session.session_id === person?.session,
})

const Sessions = z.object({ sessions: listOf(SessionShape) })

export const sessions = method({
  name: 'cacp/ui/sessions',
  summary: 'List the browsers in which people use the dashboard of this daemon, the one used last first.',
  access: 'operator',
  noted: 'first',
  params: z.object({}),
  result: Sessions,
  example: { params: {}, result: { sessions: [EXAMPLE_SESSION] } },
}).serve(({ uiSessions }, _params, { env }) =>
  Promise.resolve({ sessions: uiSessions.list().map((session) => shown(session, env.caller)) }),
)

export const revoke = method({
  name: 'cacp/ui/revoke',
  summary: 'End a session of the dashboard, or all of them: its browser is logged out at once.',
  access: 'operator',
  params: z
    .object({
      sessionId: z.string().min(1).max(64).optional().describe('as cacp/ui/sessions shows it'),
      all: Flag.describe('end every session, also the one that this call is made with'),
    })
    .refine(({ sessionId, all }) => (sessionId === undefined) === all, {
      path: ['sessionId'],
      error: 'name the session, or end all: one of the two',
    }),
  result: Sessions.describe('those that have ended'),
  example: { params: { sessionId: '1f3a5c7d' }, result: { sessions: [EXAMPLE_SESSION] } },
}).serve(({ uiSessions }, { sessionId }, { env }) =>
  uiSessions
    .end(sessionId)
    .then((ended) => ({ sessions: ended.map((session) => shown(session, env.caller)) })),
)
