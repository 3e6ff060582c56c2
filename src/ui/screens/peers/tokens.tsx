import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Part } from '../../frame/part.tsx'
import { type Column, Table } from '../../frame/table.tsx'
import { Ago, Until } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'

type Token = ResultOf<'cacp/token/list'>['tokens'][number]

/** The project tokens that were issued here. The tokens themselves are not kept. */
export function Tokens() {
  const tokens = useCall('cacp/token/list', {}, { kinds: [], everySeconds: 15 })
  const projects = useCall('cacp/project/overview', {}, { kinds: ['project'] })
  const projectName = ({ projectId: id }: Token): string =>
    projects.value?.projects.find(({ projectId }) => projectId === id)?.name ?? id
  return (
    <Part title="Project tokens">
      <Answer
        of={tokens}
        empty={(found) =>
          found.tokens.length === 0 && (
            <p class="quiet">
              None. A script or another agent gets one with <code>cacpd token issue</code>.
            </p>
          )
        }
      >
        {(found) => (
          <Table
            columns={columnsWith(projectName)}
            rows={found.tokens.toReversed()}
            keyOf={({ tokenId }) => tokenId}
          />
        )}
      </Answer>
    </Part>
  )
}

const columnsWith = (projectName: (token: Token) => string): readonly Column<Token>[] => [
  { name: 'Acts as', cell: ({ agentId }) => <Foreign text={agentId} /> },
  { name: 'Project', cell: (token) => <Quoted text={projectName(token)} /> },
  { name: 'May', cell: ({ permissions }) => permissions.join(', ') },
  { name: 'Issued', cell: ({ issuedAt }) => <Ago at={issuedAt} /> },
  {
    name: 'State',
    cell: ({ status, expiresAt }) => (status === 'active' ? <Until at={expiresAt} over="expired" /> : status),
  },
  {
    name: 'Acts',
    isActs: true,
    cell: (token) => token.status === 'active' && <Revoke token={token} projectName={projectName(token)} />,
  },
]

function Revoke({ token, projectName }: { readonly token: Token; readonly projectName: string }) {
  const { tokenId, agentId } = token
  const name = `token ${tokenId.slice(-8)}`
  return (
    <ActButton method="cacp/token/revoke" params={{ tokenId }} verb="Revoke" name={name} isGrave>
      <p>
        The token for <Quoted text={projectName} /> that acts as <Foreign text={agentId} /> stops working at
        once.
      </p>
    </ActButton>
  )
}
