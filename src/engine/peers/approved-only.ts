import type { View } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Addressee, PeerClient } from '../ports/ports.ts'

export interface ApprovedOnlyClient extends PeerClient {
  /** Aborts requests that are being sent to an agent that was shut out. */
  breakOff(agentId: string): void
}

/** Sends nothing to an agent that was shut out, and aborts requests to it that are being sent. */
export function toApprovedOnly(client: PeerClient, view: Pick<View, 'peers'>): ApprovedOnlyClient {
  const underWay = new Map<string, Set<AbortController>>()

  async function calling(
    to: Addressee | undefined,
    call: (signal: AbortSignal | undefined) => Promise<string>,
  ): Promise<string> {
    if (typeof to !== 'string') return call(undefined)
    if (view.peers.get(to)?.trust !== 'approved') throw shutOut(to)
    const end = new AbortController()
    const others = underWay.get(to) ?? new Set()
    underWay.set(to, others.add(end))
    try {
      return await call(end.signal)
    } catch (error) {
      throw end.signal.aborted ? shutOut(to) : error
    } finally {
      others.delete(end)
      if (others.size === 0) underWay.delete(to)
    }
  }

  return {
    get: (url, timeoutMillis, to) => calling(to, (signal) => client.get(url, timeoutMillis, to, signal)),
    post: (url, body, timeoutMillis, to) =>
      calling(to, (signal) => client.post(url, body, timeoutMillis, to, signal)),
    breakOff(agentId) {
      for (const one of underWay.get(agentId) ?? []) one.abort()
    },
  }
}

const shutOut = (agentId: string): Fault =>
  new Fault('forbidden', `${agentId} is not let in here, so nothing is sent to it`)
