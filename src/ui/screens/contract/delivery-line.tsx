import { SICKNESS } from '../../../domain/peers/peer-health.ts'
import { useCall } from '../../call/use-call.ts'
import { Icon } from '../../frame/icon.tsx'
import { Quoted } from '../../text/foreign.tsx'
import { clockTime } from '../../text/time.ts'
import { PEERS_LIVE, type Peer } from '../peers/health.ts'
import type { Contract } from './reading.ts'

interface DeliveryLineProps {
  /** What was done, such as `Agreed to version 2`. */
  readonly did: string
  readonly at: number
  readonly delivery: Contract['delivery']
}

/** What was done, and how far it has come to the others: told by the daemon, and told again as it goes on. */
export function DeliveryLine({ did, at, delivery = [] }: DeliveryLineProps) {
  const isMissing = delivery.some(({ state }) => state === 'stored')
  const { value } = useCall('cacp/peer/list', isMissing ? {} : undefined, PEERS_LIVE)
  return (
    <div class="delivered" role="status">
      <p>
        <Icon name="check" />
        <span>
          <strong>{did}</strong> · on disk here {clockTime(at)}
        </span>
      </p>
      <ul>
        {delivery.map((one) => (
          <li key={one.repo_id}>
            <Quoted text={one.repo} most={60} />{' '}
            {wayOf(
              one,
              value?.peers.find(({ repoName }) => repoName === one.repo),
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function wayOf(
  { state, replicated_at, seen_at }: NonNullable<Contract['delivery']>[number],
  peer: Peer | undefined,
): string {
  const sickness = SICKNESS[peer?.health ?? '']
  const has = replicated_at === undefined ? 'has it' : `has it since ${clockTime(replicated_at)}`
  if (state === 'stored')
    return `has not got it yet${sickness === undefined ? '' : `: its daemon ${sickness}`}`
  if (state === 'replicated') return `${has}; its agent has not read it yet`
  return `${has}; its agent read it${seen_at === undefined ? '' : ` ${clockTime(seen_at)}`}`
}
