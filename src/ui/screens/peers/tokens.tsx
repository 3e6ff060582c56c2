import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { Until } from '../../text/until.tsx'

type Token = ResultOf<'cacp/token/list'>['tokens'][number]

/** The project tokens that were issued here. The tokens themselves are not kept. */
export function Tokens() {
  const tokens = useCall('cacp/token/list', {}, { kinds: [], everySeconds: 15 })
  const projects = useCall('cacp/project/overview', {}, { kinds: ['project'] })
  const projectName = (id: string): string =>
    projects.value?.projects.find(({ projectId }) => projectId === id)?.name ?? id
  return (
    <section class="part" aria-labelledby="tokens-heading">
      <h2 id="tokens-heading">Project tokens</h2>
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
          <table class="table">
            <thead>
              <tr>
                <th>Acts as</th>
                <th>Project</th>
                <th>May</th>
                <th>Issued</th>
                <th>State</th>
                <th>
                  <span class="visually-hidden">Acts</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.tokens.toReversed().map((token) => (
                <TokenRow key={token.tokenId} token={token} projectName={projectName(token.projectId)} />
              ))}
            </tbody>
          </table>
        )}
      </Answer>
    </section>
  )
}

function TokenRow({ token, projectName }: { readonly token: Token; readonly projectName: string }) {
  const { tokenId, agentId, permissions, status, issuedAt, expiresAt } = token
  return (
    <tr>
      <td data-label="Acts as">
        <Foreign text={agentId} />
      </td>
      <td data-label="Project">
        <Quoted text={projectName} />
      </td>
      <td data-label="May">{permissions.join(', ')}</td>
      <td data-label="Issued">
        <Ago at={issuedAt} />
      </td>
      <td data-label="State">{status === 'active' ? <Until at={expiresAt} over="expired" /> : status}</td>
      <td class="acts">
        {status === 'active' && (
          <ActButton
            method="cacp/token/revoke"
            params={{ tokenId }}
            verb="Revoke"
            name={`token ${tokenId.slice(-8)}`}
            isGrave
          >
            <p>
              The token for <Quoted text={projectName} /> that acts as <Foreign text={agentId} /> stops
              working at once.
            </p>
          </ActButton>
        )}
      </td>
    </tr>
  )
}
