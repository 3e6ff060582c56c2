import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Part } from '../../frame/part.tsx'
import { type Column, Table } from '../../frame/table.tsx'
import { Ago, Until } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { now } from '../../text/now.ts'
import { PEERS_LIVE } from './health.ts'

type Invite = ResultOf<'cacp/invite/list'>['invites'][number]

/** The invites that were made here. */
export function Invites() {
  const invites = useCall('cacp/invite/list', {}, PEERS_LIVE)
  return (
    <Part title="Invites">
      <Answer
        of={invites}
        empty={(found) =>
          found.invites.length === 0 && <p class="quiet">No invite is open. Each lets one daemon in, once.</p>
        }
      >
        {(found) => (
          <Table columns={COLUMNS} rows={found.invites.toReversed()} keyOf={({ inviteId }) => inviteId} />
        )}
      </Answer>
    </Part>
  )
}

const COLUMNS: readonly Column<Invite>[] = [
  {
    name: 'For',
    cell: ({ repoName, replaces }) => (
      <>
        {repoName === null ? 'whoever has it' : <Quoted text={repoName} />}
        {replaces !== null && (
          <>
            , in the place of <Foreign text={replaces} />
          </>
        )}
      </>
    ),
  },
  {
    name: 'Project',
    cell: ({ projectName }) => (projectName === null ? 'none' : <Quoted text={projectName} />),
  },
  { name: 'Made', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    name: 'State',
    cell: ({ isUsed, expiresAt }) => (isUsed ? 'used' : <Until at={expiresAt} over="expired" />),
  },
  { name: 'Acts', isActs: true, cell: (invite) => <Withdraw invite={invite} /> },
]

function Withdraw({ invite: { inviteId, repoName, isUsed, expiresAt } }: { readonly invite: Invite }) {
  if (isUsed || Date.parse(expiresAt) <= now.value) return null
  const name = repoName ?? `invite ${inviteId.slice(-8)}`
  return (
    <ActButton method="cacp/invite/withdraw" params={{ inviteId }} verb="Withdraw" name={name} isGrave>
      <p>The invite lets nobody in any more. Who joined by another one stays.</p>
    </ActButton>
  )
}
