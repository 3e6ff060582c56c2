import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createAdpClient } from '../../src/io/outbound/adp-client.ts'
import { createAgentWire } from '../../src/io/outbound/agent-wire.ts'
import { createPeerClient } from '../../src/io/outbound/peer-client.ts'

/** Every third byte is a value: sent in a moment, and read in a minute. */
const heavy = (lists: number) => `[${'[],'.repeat(lists)}[]]`
const PLACE = { agentId: 'aid://a/b@1', endpoint: '', rulesFor: () => ({ reach: 'operator' }) as const }

async function answering(text: string, type = 'application/json') {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', type)
    response.end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('what a peer or an exchange answers is not read where that would take long', async () => {
  await using place = await answering(heavy(3_500_000))
  await using adp = await answering(heavy(1_000_000))
  const { url } = place
  const peers = createPeerClient(PLACE)
  const exchange = createAdpClient({ url: adp.url, timeoutMillis: 10_000 })
  const refusal = 'answered more than anybody asked for'
  await expect(peers.post(url, '{}', 10_000)).rejects.toThrow(`${url} ${refusal}`)
  await expect(exchange.search({ query: '', filters: {}, limit: 1, offset: 0 })).rejects.toThrow(
    `The exchange at ${adp.url} ${refusal}`,
  )
  await Promise.all([peers.destroy(), exchange.destroy()])
})

test('a card of more than a mebibyte is none', async () => {
  await using place = await answering(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }))
  const peers = createPeerClient(PLACE)
  await expect(peers.get(place.url, 10_000)).rejects.toThrow('more than anybody asked for')
  await peers.destroy()
})

test.each([
  ['application/json', heavy(1_000_000)],
  ['text/event-stream', `data: ${heavy(1_000_000)}\n\n`],
])(
  'a message of another agent in %s that would take long to read is like one that cannot be read',
  async (type, text) => {
    await using place = await answering(text, type)
    const wire = createAgentWire(PLACE)
    const { signal } = new AbortController()
    const { messages } = await wire.post(place.url, { body: '{}', to: PLACE.agentId }, signal)
    for await (const message of messages) expect(message).toBeUndefined()
    await wire.destroy()
  },
)
