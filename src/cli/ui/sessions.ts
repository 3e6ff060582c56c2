import { rendered } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { UsageError } from '../program/report.ts'
import { browserName } from './browser-name.ts'

const COLUMNS = { sessions: ['sessionId', 'browser', 'usedAt', 'createdAt', 'expiresAt'] }

export const sessions = command({
  about: 'show the browsers in which people use the dashboard',
  examples: ['cacpd ui sessions'],
  ask: () => (client) => client.call('cacp/ui/sessions', {}),
  show: (result, screen) => {
    const named = result.sessions.map((one) => ({ ...one, browser: browserName(one.userAgent) }))
    return named.length === 0 ? 'none' : rendered({ sessions: named }, screen, COLUMNS)
  },
})

export const revoke = command({
  about: 'log a browser out, at once',
  words: { '[session]': 'as `cacpd ui sessions` shows it' },
  options: { '--all': 'every browser' },
  examples: ['cacpd ui revoke 1f3a5c7d', 'cacpd ui revoke --all'],
  ask: ({ session, all }) => {
    if ((session === undefined) === (all === undefined))
      throw new UsageError(
        'Name one session, or end all of them with --all',
        '`cacpd ui sessions` shows them',
      )
    const ended = session === undefined ? { all: true } : { sessionId: session }
    return (client) => client.call('cacp/ui/revoke', ended)
  },
  show: ({ sessions: ended }) =>
    ended.length === 0
      ? 'There was no session.'
      : ended
          .map(({ sessionId, userAgent }) => `Logged out: ${browserName(userAgent)} (session ${sessionId})`)
          .join('\n'),
})
