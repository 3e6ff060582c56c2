import type { View } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Addressee, PeerClient } from '../ports/ports.ts'

export interface ApprovedOnlyClient extends PeerClient {
  /** Aborts requests that are being sent to an agent that was shut out. */
  breakOff(agentId: string): void
}

/** Sends nothing to an agent that was shut out, and aborts requests to it that are being sent. */
export function toApprovedOnly(client: PeerClient, view: Pick<View, 'peers'>): ApprovedOnlyClient {
  const underWay = new Set<{ readonly agentId: string; readonly end: AbortController }>()

  async function calling(
    to: Addressee | undefined,
    call: (signal: AbortSignal | undefined) => Promise<string>,
  ): Promise<string> {
    if (typeof to !== 'string') return call(undefined)
    if (view.peers.get(to)?.trust !== 'approved') throw shutOut(to)
    const request = { agentId: to, end: new AbortController() }
    const { signal } = request.end
    underWay.add(request)
    try {
      return await call(signal)
    } catch (error) {
      throw signal.aborted ? shutOut(to) : error
    } finally {
      underWay.delete(request)
    }
  }

  return {
    get: (url, timeoutMillis, to) => calling(to, (signal) => client.get(url, timeoutMillis, to, signal)),
    post: (url, body, timeoutMillis, to) =>
      calling(to, (signal) => client.post(url, body, timeoutMillis, to, signal)),
    breakOff(agentId) {
      for (const request of underWay) if (request.agentId === agentId) request.end.abort()
    },
  }
}

const shutOut = (agentId: string): Fault =>
  new Fault('forbidden', `${agentId} is not let in here, so nothing is sent to it`)
