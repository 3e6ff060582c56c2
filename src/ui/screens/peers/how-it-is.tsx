import { Tag } from '../../frame/tag.tsx'
import { Told } from '../../text/told.tsx'
import { healthOf, type Peer } from './health.ts'

/** The health of a peer in a word, and the reason for it. */
export function HowItIs({ peer }: { readonly peer: Peer }) {
  const health = healthOf(peer)
  return (
    <p>
      <Tag said={health} /> <Told of={health.reason} />
    </p>
  )
}
