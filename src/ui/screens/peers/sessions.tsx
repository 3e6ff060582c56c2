import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign } from '../../text/foreign.tsx'
import { Until } from '../../text/until.tsx'

type Session = ResultOf<'cacp/ui/sessions'>['sessions'][number]

/** The browsers in which people use this page. */
export function Sessions() {
  const sessions = useCall('cacp/ui/sessions', {}, { kinds: [], everySeconds: 15 })
  return (
    <section class="part" aria-labelledby="sessions-heading">
      <div class="part-head">
        <h2 id="sessions-heading">Browser sessions</h2>
        {(sessions.value?.sessions.length ?? 0) > 1 && (
          <ActButton
            method="cacp/ui/revoke"
            params={{ all: true }}
            verb="Log out everywhere"
            name="all sessions"
            isGrave
          >
            <p>
              Every browser is logged out at once, this one too. To come back, run <code>cacpd ui</code>.
            </p>
          </ActButton>
        )}
      </div>
      <Answer
        of={sessions}
        empty={(found) =>
          found.sessions.length === 0 && (
            <p class="quiet">
              None. <code>cacpd ui</code> begins one.
            </p>
          )
        }
      >
        {(found) => (
          <table class="table">
            <thead>
              <tr>
                <th>Session</th>
                <th>Browser</th>
                <th>Begun</th>
                <th>Used</th>
                <th>Ends</th>
                <th>
                  <span class="visually-hidden">Acts</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.sessions.map((session) => (
                <SessionRow key={session.sessionId} session={session} />
              ))}
            </tbody>
          </table>
        )}
      </Answer>
    </section>
  )
}

function SessionRow({ session }: { readonly session: Session }) {
  const { sessionId, createdAt, usedAt, expiresAt, userAgent, isOwn } = session
  return (
    <tr>
      <td data-label="Session">
        {sessionId}
        {isOwn && <strong> (this one)</strong>}
      </td>
      <td data-label="Browser">
        <Foreign text={userAgent} />
      </td>
      <td data-label="Begun">
        <Ago at={createdAt} />
      </td>
      <td data-label="Used">
        <Ago at={usedAt} />
      </td>
      <td data-label="Ends">
        <Until at={expiresAt} />
      </td>
      <td class="acts">
        <ActButton
          method="cacp/ui/revoke"
          params={{ sessionId }}
          verb="Log out"
          name={`session ${sessionId}`}
          isGrave
        >
          <p>
            {isOwn
              ? 'This browser is logged out at once. To come back, run cacpd ui.'
              : 'That browser is logged out at once, and needs a new link to come back.'}
          </p>
        </ActButton>
      </td>
    </tr>
  )
}
