import type { View } from '../domain/view.ts'
import { Fault } from '../protocol/fault.ts'
import type { Addressee, PeerClient } from './ports.ts'

/** Nothing goes to an agent that was shut out, not even the rest of what somebody is in the midst of sending. */
export function toApprovedOnly(client: PeerClient, view: Pick<View, 'peers'>): PeerClient {
  const assertApproved = (to: Addressee | undefined) => {
    if (typeof to === 'string' && view.peers.get(to)?.trust !== 'approved')
      throw new Fault('forbidden', `${to} is not let in here, so nothing is sent to it`)
  }
  return {
    async get(url, timeoutMillis, to) {
      assertApproved(to)
      return client.get(url, timeoutMillis, to)
    },
    async post(url, body, timeoutMillis, to) {
      assertApproved(to)
      return client.post(url, body, timeoutMillis, to)
    },
  }
}
