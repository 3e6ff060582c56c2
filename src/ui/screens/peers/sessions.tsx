import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Part } from '../../frame/part.tsx'
import { type Column, Table } from '../../frame/table.tsx'
import { Ago, Until } from '../../text/ago.tsx'
import { Foreign } from '../../text/foreign.tsx'

type Session = ResultOf<'cacp/ui/sessions'>['sessions'][number]

/** The browsers in which people use this page. */
export function Sessions() {
  const sessions = useCall('cacp/ui/sessions', {}, { kinds: [], everySeconds: 15 })
  return (
    <Part
      title="Browser sessions"
      acts={
        (sessions.value?.sessions.length ?? 0) > 1 && (
          <ActButton
            method="cacp/ui/revoke"
            params={{ all: true }}
            verb="Log out everywhere"
            name="all sessions"
            isGrave
          >
            <p>
              Every browser is logged out, this one too. To come back: <code>cacpd ui</code>
            </p>
          </ActButton>
        )
      }
    >
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
        {(found) => <Table columns={COLUMNS} rows={found.sessions} keyOf={({ sessionId }) => sessionId} />}
      </Answer>
    </Part>
  )
}

const COLUMNS: readonly Column<Session>[] = [
  {
    name: 'Session',
    cell: ({ sessionId, isOwn }) => (
      <>
        {sessionId}
        {isOwn && <strong> (this one)</strong>}
      </>
    ),
  },
  { name: 'Browser', cell: ({ userAgent }) => <Foreign text={userAgent} /> },
  { name: 'Begun', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { name: 'Used', cell: ({ usedAt }) => <Ago at={usedAt} /> },
  { name: 'Ends', cell: ({ expiresAt }) => <Until at={expiresAt} /> },
  {
    name: 'Acts',
    isActs: true,
    cell: ({ sessionId, isOwn }) => (
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
    ),
  },
]
