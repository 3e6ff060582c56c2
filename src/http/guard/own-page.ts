import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { classOfHost } from '../../protocol/address-class.ts'
import { Fault } from '../../protocol/fault.ts'
import { type CookieNames, cookiesIn } from '../ui/cookies.ts'
import { hostName } from './gate.ts'
import { visitorOf } from './visitor.ts'

/** The header in which our page sends its half of the session. */
export const UI_HEADER = 'x-cacpd-ui'

interface OwnPageRules {
  readonly cookies: CookieNames
  /** Whether calls come over TLS. */
  readonly isEncrypted: boolean
  /** The origin of the page for people at other machines; null where only this machine may show it. */
  readonly remoteOrigin: string | null
}

export type OwnPage = ReturnType<typeof createOwnPage>

/** Headers that only a proxy adds. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const

/** Tells calls of the page that this daemon serves itself from those of all other pages. */
export function createOwnPage({ cookies, isEncrypted, remoteOrigin }: OwnPageRules) {
  const scheme = isEncrypted ? 'https' : 'http'

  /** Whether it comes from elsewhere: through a proxy, or by another name than those of this machine. */
  function isRemote({ headers, socket }: IncomingMessage): boolean {
    return (
      visitorOf(socket).from !== 'loopback' ||
      classOfHost(hostName(headers.host) ?? '') !== 'loopback' ||
      FORWARDING.some((header) => headers[header] !== undefined)
    )
  }

  /**
   * Whether the browser says that our own page sends it. A page has the origin of the address that it was loaded from,
   * which its browser also sends as Host.
   */
  function hasOwnOrigin(request: IncomingMessage): boolean {
    const { origin, host } = request.headers
    return origin !== undefined && origin === (isRemote(request) ? remoteOrigin : `${scheme}://${host}`)
  }

  return {
    isRemote,
    hasOwnOrigin,
    /** Refuses a key and a session in one request: whoever sends both must not be right by luck. */
    assertOneCredential(headers: IncomingHttpHeaders): void {
      const { authorization = '', 'x-project-token': projectToken = '' } = headers
      if (authorization === '' && projectToken === '') return
      if (headers[UI_HEADER] === undefined && cookiesIn(headers.cookie, cookies).length === 0) return
      throw new Fault('bad_headers', 'Authorization: a key and a session of the dashboard in one request', {
        next: 'Leave out Authorization and X-Project-Token, or the cookie and X-CACPD-UI',
      })
    },
    /** Refuses people at other machines, unless the page is for them too. */
    assertReachable(request: IncomingMessage): void {
      if (remoteOrigin === null && isRemote(request))
        throw new Fault('forbidden', 'The dashboard of this daemon answers people at its own machine only', {
          next: 'Run `cacpd ui` there; over ssh it prints how to forward the port. To let others in, set ui to {"remote": true}',
        })
    },
    /** Refuses what our page did not send, as far as the browser tells. */
    assertSender(request: IncomingMessage): void {
      const { method, headers } = request
      // A browser sends no Origin with a GET to where its page comes from.
      const isPlainGet = (method === 'GET' || method === 'HEAD') && headers.origin === undefined
      if (isPlainGet ? headers['sec-fetch-site'] === 'same-origin' : hasOwnOrigin(request)) return
      throw new Fault(
        'forbidden',
        `${isPlainGet ? 'Sec-Fetch-Site' : 'Origin'}: only the dashboard itself may use its session`,
        { next: 'Programs use a key: `cacpd key` prints it' },
      )
    },
  }
}
