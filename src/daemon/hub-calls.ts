import { Readable } from 'node:stream'
import { Answering } from '../engine/hub/calls/answering.ts'
import { Asking } from '../engine/hub/calls/asking.ts'
import type { HubCalls } from '../engine/hub/hub-desk.ts'
import { RenewedKeys } from '../engine/hub/renewed-keys.ts'
import type { ServeCall } from '../engine/ports/hub-rooms.ts'
import { HUB_TICKET } from '../http/guard/identify.ts'
import { newSecret } from '../io/identity/secret.ts'
import { verifySignature } from '../io/identity/signature.ts'
import { createRequester } from '../io/outbound/request.ts'
import { systemTimers } from '../io/system/timers.ts'
import type { Parts } from './parts.ts'

/** Calls over the hub, in both directions. */
export function createHubCalls(parts: Parts): HubCalls & { close(): Promise<void> } {
  const { self, identity, store, clock, accessWatch, url, certificate } = parts
  const renewedKeys = new RenewedKeys({ store, verify: verifySignature, timers: systemTimers })
  const both = {
    agentId: self.agentId,
    identity,
    verify: verifySignature,
    clock,
    timers: systemTimers,
    renewedKey: (agentId: string) => renewedKeys.keyOf(agentId),
  }
  const { view } = store
  const requester = createRequester({ headersTimeout: 0, bodyTimeout: 0 })
  const rules = { reach: 'operator' as const, certificate: certificate?.fingerprint }
  /** Through the server that everybody else calls too, so that there is one guard and one way to answer. */
  const serve: ServeCall = ({ verb, path, headers, body, ticket }, signal) =>
    requester.open({
      url: url + path,
      target: () => ({ rules, headers: { authorization: `Bearer ${HUB_TICKET}${ticket}` } }),
      headers: { ...headers, ...(verb === 'POST' ? { 'content-length': String(body.length) } : {}) },
      ...(verb === 'POST' ? { body: Readable.from([body]) } : {}),
      signal,
    })
  return {
    asking: new Asking({
      ...both,
      keyOf: (agentId) => {
        const peer = view.peers.get(agentId)
        return peer?.trust === 'approved' ? peer.identity : undefined
      },
    }),
    answering: new Answering({
      ...both,
      view,
      newSecret,
      serve,
      watch: (caller, leave) => accessWatch.watch(caller, leave),
    }),
    renewedKeys,
    close: () => requester.destroy(),
  }
}
