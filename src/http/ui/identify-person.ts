import type { Caller, Self } from '../../domain/env.ts'
import { personOf, SECRET_TEXT } from '../../domain/trust/ui-session.ts'
import type { UiSessions } from '../../engine/ui/ui-sessions.ts'
import { Fault } from '../../protocol/fault.ts'
import type { IdentifyOwn } from '../guard/guard.ts'
import { UI_HEADER } from '../guard/own-page.ts'
import { type CookieNames, cookiesIn } from './cookies.ts'

interface PersonDeps {
  readonly self: Pick<Self, 'agentId' | 'repo'>
  readonly sessions: Pick<UiSessions, 'find'>
  readonly cookies: CookieNames
}

/** Part of every refusal of a session. */
export const HOW_TO_LOG_IN = 'Run `cacpd ui` in the repository: it opens the dashboard with a new session'

/**
 * The person whose page sends both halves of a session. A cookie alone says nothing: the browser also sends it on
 * behalf of pages from other ports of this machine.
 */
export function createIdentifyPerson({ self, sessions, cookies: names }: PersonDeps): IdentifyOwn {
  return (headers): Caller | undefined => {
    const token = headers[UI_HEADER]
    if (token === undefined || token === '') return undefined
    const cookies = cookiesIn(headers.cookie, names).filter((value) => SECRET_TEXT.test(value))
    const session =
      typeof token === 'string' && SECRET_TEXT.test(token) ? sessions.find(cookies, token) : undefined
    if (session === undefined)
      throw new Fault(
        'unauthorized',
        'X-CACPD-UI: this session of the dashboard has ended, or is not of this daemon',
        { next: HOW_TO_LOG_IN },
      )
    assertAsSelf(headers['x-agent-id'], self.agentId)
    return personOf(session, self)
  }
}

function assertAsSelf(given: string | string[] | undefined, own: string): void {
  if (given === undefined || given === '' || given === own) return
  throw new Fault('forbidden', `X-Agent-ID: a person at the dashboard acts for ${own} alone`, {
    next: 'Leave X-Agent-ID out',
  })
}
