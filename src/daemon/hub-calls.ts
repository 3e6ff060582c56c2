import { Readable } from 'node:stream'
import type { Self } from '../domain/env.ts'
import { Answering } from '../engine/hub/calls/answering.ts'
import { Asking } from '../engine/hub/calls/asking.ts'
import type { HubCalls } from '../engine/hub/hub-desk.ts'
import { RenewedKeys } from '../engine/hub/renewed-keys.ts'
import type { AccessWatch } from '../engine/peers/access-watch.ts'
import type { ServeCall } from '../engine/ports/hub-rooms.ts'
import type { Clock, Identity, Store } from '../engine/ports/ports.ts'
import { HUB_TICKET } from '../http/guard/identify.ts'
import { newSecret } from '../io/identity/secret.ts'
import { verifySignature } from '../io/identity/signature.ts'
import { createRequester } from '../io/outbound/request.ts'
import { systemTimers } from '../io/system/timers.ts'

interface HubCallsDeps {
  readonly self: Pick<Self, 'agentId'>
  readonly identity: Identity
  readonly store: Pick<Store, 'view' | 'commit'>
  readonly clock: Clock
  readonly accessWatch: AccessWatch
  /** Where this daemon listens on its own machine, and the certificate that it shows there. */
  readonly url: string
  readonly certificate: { readonly fingerprint: string } | undefined
}

/** Calls over the hub, in both directions. */
export function createHubCalls(deps: HubCallsDeps): HubCalls & { close(): Promise<void> } {
  const { self, identity, store, clock, accessWatch, url, certificate } = deps
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
