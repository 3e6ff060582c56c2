import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { now } from '../../text/now.ts'
import { Until } from '../../text/until.tsx'
import { PEERS_LIVE } from './peers-live.ts'

type Invite = ResultOf<'cacp/invite/list'>['invites'][number]

/** The invites that were made here. */
export function Invites() {
  const invites = useCall('cacp/invite/list', {}, PEERS_LIVE)
  return (
    <section class="part" aria-labelledby="invites-heading">
      <h2 id="invites-heading">Invites</h2>
      <Answer
        of={invites}
        empty={(found) =>
          found.invites.length === 0 && <p class="quiet">No invite is open. Each lets one daemon in, once.</p>
        }
      >
        {(found) => (
          <table class="table">
            <thead>
              <tr>
                <th>For</th>
                <th>Project</th>
                <th>Made</th>
                <th>State</th>
                <th>
                  <span class="visually-hidden">Acts</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.invites.toReversed().map((invite) => (
                <InviteRow key={invite.inviteId} invite={invite} />
              ))}
            </tbody>
          </table>
        )}
      </Answer>
    </section>
  )
}

function InviteRow({ invite }: { readonly invite: Invite }) {
  const { inviteId, repoName, projectName, createdAt, expiresAt, isUsed, replaces } = invite
  const isOpen = !isUsed && Date.parse(expiresAt) > now.value
  const name = repoName ?? `invite ${inviteId.slice(-8)}`
  return (
    <tr>
      <td data-label="For">
        {repoName === null ? 'whoever has it' : <Quoted text={repoName} />}
        {replaces !== null && (
          <>
            , in the place of <Foreign text={replaces} />
          </>
        )}
      </td>
      <td data-label="Project">{projectName === null ? 'none' : <Quoted text={projectName} />}</td>
      <td data-label="Made">
        <Ago at={createdAt} />
      </td>
      <td data-label="State">{isUsed ? 'used' : <Until at={expiresAt} over="expired" />}</td>
      <td class="acts">
        {isOpen && (
          <ActButton method="cacp/invite/withdraw" params={{ inviteId }} verb="Withdraw" name={name} isGrave>
            <p>The invite lets nobody in any more. Who joined by another one stays.</p>
          </ActButton>
        )}
      </td>
    </tr>
  )
}
