import * as z from 'zod'
import type { RouteAbout } from '../../describe/openapi.ts'
import { When } from '../../protocol/words.ts'
import { answered } from '../routes/about.ts'

const SESSION_HEADERS = {
  'X-CACPD-UI': 'The half of the session that the page keeps; the other half is a cookie',
} as const

/** Longer than any code, so that one that is no code is told as that. */
export const LoginRequest = z.strictObject({ code: z.string().min(1).max(200) }).meta({ id: 'LoginRequest' })

const LoginCode = z.object({
  codeId: z.string().describe('by which it is followed'),
  code: z.string().describe('told only now; begins one session within a minute'),
  url: z.url().describe('opens the dashboard with it, at this machine'),
  remoteUrl: z.url().optional().describe('the same for other machines, where that is allowed'),
  expiresAt: When,
  words: z.string().describe('six words, which the dashboard shows too'),
})

const CodeState = z.object({
  status: z.enum(['waiting', 'used', 'expired']),
  sessionId: z.string().optional(),
  userAgent: z.string().optional(),
  address: z.string().optional(),
})

const Session = z
  .object({
    sessionId: z.string(),
    createdAt: When,
    expiresAt: When.describe('unless it is used before'),
    agentId: z.string(),
    repo: z.string(),
    words: z.string().describe('six words, by which people know the key of this daemon'),
    version: z.string(),
    build: z.string().describe('of the page; one that is open may be older'),
    baseUrl: z.url().describe('where this daemon is called'),
    cursor: z
      .string()
      .describe('the cursor after the last change: what is asked from now on has all before it'),
  })
  .meta({ id: 'UiSession' })

const Daemons = z.object({
  daemons: z.array(z.object({ repo: z.string(), url: z.url(), uiUrl: z.url().optional() })),
})

const HTML = { 'text/html': null }

export const ABOUT = {
  page: {
    summary: 'Show the dashboard, whatever follows in the path.',
    answers: { 200: { description: 'The page', contents: HTML } },
  },
  asset: {
    summary: 'Get a file that the dashboard loads.',
    answers: { 200: { description: 'Its bytes', contents: { 'text/javascript': null, 'text/css': null } } },
  },
  createCode: {
    summary: 'Make a code that begins one session of the dashboard.',
    description: 'With the operator key alone: no session makes another one.',
    answers: answered('The code', LoginCode),
  },
  followCode: {
    summary: 'Wait until somebody used a code, for 20 seconds at most.',
    answers: answered('What became of it', CodeState),
  },
  logIn: {
    summary: 'Begin a session with a code.',
    description: 'The answer sets one half of the session as a cookie and tells the other one.',
    body: { 'application/json': LoginRequest },
    answers: answered('The half for the page', z.object({ token: z.string() })),
  },
  session: {
    summary: 'See whose session this is, and whose daemon.',
    headers: SESSION_HEADERS,
    answers: answered('The session', Session),
  },
  logOut: {
    summary: 'End this session.',
    headers: SESSION_HEADERS,
    answers: { 204: { description: 'It has ended' } },
  },
  daemons: {
    summary: 'List the daemons of other repositories at this machine.',
    headers: SESSION_HEADERS,
    answers: answered('Those that run', Daemons),
  },
} as const satisfies Record<string, RouteAbout>
