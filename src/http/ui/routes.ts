import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteAbout } from '../../describe/openapi.ts'
import type { Caller, Self } from '../../domain/env.ts'
import { fingerprintOf } from '../../domain/trust/fingerprint.ts'
import type { UiSession } from '../../domain/trust/trust.ts'
import { endOf, personOf } from '../../domain/trust/ui-session.ts'
import type { Clock } from '../../engine/ports/ports.ts'
import type { OtherDaemon, Page } from '../../engine/ports/ui-ports.ts'
import type { UiSessions } from '../../engine/ui/ui-sessions.ts'
import type { Feed } from '../../methods/seat/service.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { secondsBetween } from '../../protocol/stamp.ts'
import { type OwnPage, UI_HEADER } from '../guard/own-page.ts'
import { originOf } from '../guard/visitor.ts'
import { sendJson } from '../reply/send.ts'
import { jsonBody } from '../request/body.ts'
import { readerOf } from '../request/reader.ts'
import type { Route } from '../routes/routes.ts'
import { ABOUT, LoginRequest } from './about.ts'
import { type CookieNames, cookiesIn, cookieText } from './cookies.ts'
import { HOW_TO_LOG_IN } from './identify-person.ts'
import { sendPageFile } from './send-file.ts'

export interface UiRouteDeps {
  readonly self: Self
  readonly version: string
  readonly clock: Pick<Clock, 'now'>
  readonly sessions: UiSessions
  readonly feed: Pick<Feed, 'cursor'>
  readonly cookies: CookieNames
  readonly ownPage: OwnPage
  readonly isEncrypted: boolean
  /** Where the page is called from this machine, and from others if it is for them too. */
  readonly urls: { readonly local: string; readonly remote?: string }
  /** Undefined in a checkout in which the page was not built. */
  readonly page: () => Promise<Page | undefined>
  readonly otherDaemons: () => Promise<readonly OtherDaemon[]>
}

/** How long a call waits to learn that a code was used. */
const FOLLOW_MILLIS = 20_000

/** The page that people see, and the sessions in which they use it. Its data come from the routes of all callers. */
export function uiRoutes(deps: UiRouteDeps): readonly Route[] {
  const { self, sessions, cookies, ownPage, clock, urls } = deps
  const isEncrypted = (request: IncomingMessage) => deps.isEncrypted || ownPage.isRemote(request)
  const words = () => fingerprintOf(self.signer.publicKey, self.signer.publicKey)

  const built = async (): Promise<Page> => {
    const page = await deps.page()
    if (page !== undefined) return page
    throw new Fault('unavailable', 'The dashboard is missing in this build of cacpd', {
      next: 'Run `npm run build` in the checkout, and start the daemon again',
    })
  }

  function keepCookie(
    request: IncomingMessage,
    response: ServerResponse,
    value: string,
    session?: UiSession,
  ) {
    const seconds = session === undefined ? 0 : secondsBetween(clock.now(), endOf(session))
    const cookie = cookieText(cookies, { value, seconds, isEncrypted: isEncrypted(request) })
    response.setHeader('set-cookie', cookie)
  }

  function ownSession({ person }: Caller): UiSession {
    const session = sessions.list().find(({ session_id }) => session_id === person?.session)
    if (session !== undefined) return session
    throw new Fault('forbidden', 'This is for the dashboard, which calls with a session', {
      next: HOW_TO_LOG_IN,
    })
  }

  return [
    row('post', '/ui/login-codes', 'operator', ABOUT.createCode, async (_request, response, caller) => {
      assertKey(caller)
      await built()
      const { code, ...told } = sessions.codes.create()
      const open = (url: string) => `${url}/ui/#c=${code}`
      sendJson(response, 200, {
        code,
        ...told,
        url: open(urls.local),
        ...(urls.remote === undefined ? {} : { remoteUrl: open(urls.remote) }),
        words: words(),
      })
    }),
    row('get', '/ui/login-codes/:codeId', 'operator', ABOUT.followCode, async (request, response, caller) => {
      assertKey(caller)
      const codeId = String(request.params['codeId'])
      sendJson(response, 200, await sessions.codes.follow(codeId, FOLLOW_MILLIS, readerOf(response)))
    }),
    {
      ...row('post', '/ui/session', 'public', ABOUT.logIn, async (request, response) => {
        ownPage.assertSender(request)
        const { code } = await jsonBody(request, LoginRequest)
        const userAgent = String(request.headers['user-agent'] ?? '').slice(0, LIMITS.nameLength)
        const { address } = originOf(request)
        const { session, cookie, token } = await sessions.begin(code, { userAgent, address })
        response.locals['caller'] = personOf(session, self)
        keepCookie(request, response, cookie, session)
        sendJson(response, 200, { token })
      }),
      isPairing: true,
      // Whoever comes with a code is a stranger until it has a session, whatever else it shows.
      knows: () => ({ kind: 'anonymous', agentId: self.agentId, repoName: null }),
    },
    row('get', '/ui/session', 'operator', ABOUT.session, async (request, response, caller) => {
      const session = ownSession(caller)
      const { build } = await built()
      // Sent again, so that the browser keeps it for as long as the session lasts now.
      const token = String(request.headers[UI_HEADER])
      const own = cookiesIn(request.headers.cookie, cookies).find((one) => sessions.find([one], token))
      if (own !== undefined) keepCookie(request, response, own, session)
      sendJson(response, 200, {
        sessionId: session.session_id,
        createdAt: session.created_at,
        expiresAt: endOf(session),
        agentId: self.agentId,
        repo: self.repo,
        words: words(),
        version: deps.version,
        build,
        baseUrl: ownPage.isRemote(request) ? (urls.remote ?? urls.local) : urls.local,
        cursor: deps.feed.cursor(),
      })
    }),
    row('delete', '/ui/session', 'operator', ABOUT.logOut, async (request, response, caller) => {
      await sessions.end(ownSession(caller).session_id)
      keepCookie(request, response, '')
      response.writeHead(204, { 'cache-control': 'no-store' }).end()
    }),
    row('get', '/ui/daemons', 'operator', ABOUT.daemons, async (_request, response) => {
      sendJson(response, 200, { daemons: await deps.otherDaemons() })
    }),
    row('get', '/ui/assets/:name', 'public', ABOUT.asset, async (request, response) => {
      const file = (await built()).assets.get(String(request.params['name']))
      if (file === undefined)
        throw new Fault('not_found', 'The dashboard has no such file', {
          next: 'Load the page again: it may be older than the daemon',
        })
      await sendPageFile(request, response, file)
    }),
    row('get', '/ui{/*path}', 'public', ABOUT.page, async (request, response) => {
      const { document } = await built()
      // The page finds its files beside this path, so it has to end as they begin.
      if (request.path === '/ui') response.writeHead(308, { location: 'ui/' }).end()
      else await sendPageFile(request, response, document)
    }),
  ]
}

/** What only the page calls. */
const row = (
  verb: Route['verb'],
  path: string,
  access: Route['access'],
  about: RouteAbout,
  serve: Route['serve'],
): Route => ({ verb, path, access, isPage: true, about, serve })

/** A script that got into the page must not be able to make a session that outlives the page. */
function assertKey({ person }: Caller): void {
  if (person !== undefined)
    throw new Fault('forbidden', 'A session of the dashboard cannot make another one', {
      next: 'Run `cacpd ui` in the repository',
    })
}
