import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import type { Peer } from '../../../src/domain/model.ts'
import { Answering } from '../../../src/engine/hub/calls/answering.ts'
import { Asking } from '../../../src/engine/hub/calls/asking.ts'
import type { HeardMessage, HubAnswer, HubWire, ServeCall } from '../../../src/engine/ports/hub-rooms.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'
import { keyNamed } from '../../support/simulated/identity.ts'
import { VirtualTime } from '../../support/simulated/virtual-time.ts'
import { signer, verify } from './compact-signatures.ts'

const A = 'aid://example.com/a@1.0.0'
const B = 'aid://example.com/b@1.0.0'
const NOW = '2026-01-01T12:00:00.000000Z' as Stamp

/** A hub in memory, on which a test can look at every message and change it. */
class MemoryWire implements HubWire {
  readonly maxBytes = 1024 * 1024
  readonly #listeners = new Map<string, (message: HeardMessage) => void>()
  #inboxes = 0
  change: (subject: string, message: HeardMessage) => HeardMessage | undefined = (_, message) => message

  newInbox = () => `_INBOX.${++this.#inboxes}`

  publish: HubWire['publish'] = (subject, message) => {
    const sent = this.change(subject, { ...message, isUnheard: false })
    const heed = this.#listeners.get(subject)
    if (sent !== undefined && heed !== undefined) queueMicrotask(() => heed(sent))
    else if (sent?.reply !== undefined && subject.includes('.call.'))
      this.#listeners.get(sent.reply)?.({ proof: '', body: new Uint8Array(), isUnheard: true })
  }

  listen: HubWire['listen'] = (subject, heed) => {
    this.#listeners.set(subject, heed)
    return () => void this.#listeners.delete(subject)
  }
}

const answerOf = (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): HubAnswer => ({
  status: 200,
  contentType: 'text/plain',
  body: (async function* () {
    yield* chunks
  })(),
  discard: async () => {},
})
const bytes = (text: string) => new TextEncoder().encode(text)

function twoDaemons({ serve }: { serve: ServeCall }) {
  const time = new VirtualTime()
  const wire = new MemoryWire()
  let nonces = 0
  const clock = { now: () => NOW, newNonce: () => `nonce${nonces++}` }
  const peers = new Map<string, Peer>([
    [A, { agent_id: A, trust: 'approved', identity: keyNamed('a') } as Peer],
  ])
  const common = { verify, clock, timers: time, renewedKey: async () => undefined }
  const leaving = new Set<() => void>()
  const asking = new Asking({
    ...common,
    agentId: A,
    identity: signer(keyNamed('a')),
    keyOf: (agentId) => (agentId === B ? keyNamed('b') : undefined),
  })
  const answering = new Answering({
    ...common,
    agentId: B,
    identity: signer(keyNamed('b')),
    view: { peers } as never,
    newSecret: () => `ticket${nonces++}`,
    serve,
    watch: (_caller, leave) => {
      leaving.add(leave)
      return () => leaving.delete(leave)
    },
  })
  asking.use({ org: 'acme', wire })
  answering.use({ org: 'acme', wire })
  const shutOut = () => {
    peers.clear()
    for (const leave of leaving) leave()
  }
  return { time, wire, asking, answering, shutOut }
}

const request = (body = new Uint8Array()) => ({
  agentId: B,
  verb: 'POST' as const,
  path: '/',
  headers: { accept: 'text/plain', authorization: 'Bearer secret' },
  body,
})

async function textOf({ body }: HubAnswer): Promise<string> {
  let text = ''
  for await (const chunk of body) text += new TextDecoder().decode(chunk)
  return text
}

/** An answer that goes on until its signal is aborted. */
const endless =
  (ended: () => void): ServeCall =>
  async (_request, signal) =>
    answerOf(
      (async function* () {
        try {
          yield bytes('first')
          signal.throwIfAborted()
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        } finally {
          ended()
        }
      })(),
    )

describe('a call over the hub', () => {
  test('reaches the server of the other daemon as its peer, without the key, and the answer comes back whole', async () => {
    const large = Array.from({ length: 40 }, (_, index) => new Uint8Array(100_000).fill(97 + (index % 26)))
    const callers: (Caller | undefined)[] = []
    const two = twoDaemons({
      serve: async ({ ticket, headers, body }) => {
        callers.push(two.answering.callerWith(ticket))
        expect([headers, new TextDecoder().decode(body)]).toEqual([{ accept: 'text/plain' }, 'asked'])
        return answerOf(large)
      },
    })
    const answer = await two.asking.ask(request(bytes('asked')))
    expect([answer.status, answer.contentType]).toEqual([200, 'text/plain'])
    expect(sha256(await textOf(answer))).toBe(sha256(Buffer.concat(large)))
    expect(callers).toMatchObject([
      { kind: 'peer', agentId: A, from: 'public', credential: expect.stringMatching(/^hub /) },
    ])
    expect(two.answering.callerWith('ticket2')).toBeUndefined()
  })

  test('goes no further than the caller reads', async () => {
    let made = 0
    const two = twoDaemons({
      serve: async () =>
        answerOf(
          (async function* () {
            for (; made < 100; made++) yield new Uint8Array(100_000)
          })(),
        ),
    })
    const answer = await two.asking.ask(request())
    await two.time.settle()
    expect(made).toBeLessThan(15)
    await answer.discard()
  })

  test('is broken off at the other side when the caller gives up, also before the first word', async () => {
    let ends = 0
    const two = twoDaemons({ serve: endless(() => ends++) })
    const answer = await two.asking.ask(request())
    await answer.discard()
    await two.time.settle()
    expect(ends).toBe(1)

    const giveUp = new AbortController()
    two.wire.change = (subject, message) => {
      if (subject.includes('.call.')) giveUp.abort(new Error('enough'))
      return message
    }
    await expect(two.asking.ask(request(), giveUp.signal)).rejects.toThrow('enough')
    await two.time.settle()
    expect(ends).toBe(2)
  })

  test('ends with a clear sentence when its peer is shut out', async () => {
    const two = twoDaemons({ serve: endless(() => {}) })
    const reading = textOf(await two.asking.ask(request()))
    two.shutOut()
    await expect(reading).rejects.toThrow('broke its answer off')
    expect((await two.asking.ask(request())).status).toBe(401)
  })

  test('is over after a while when one side falls silent', async () => {
    let ends = 0
    const two = twoDaemons({ serve: endless(() => ends++) })
    const reading = textOf(await two.asking.ask(request()))
    reading.catch(() => {})
    await two.time.advance(60_000)
    expect(ends).toBe(0)
    two.wire.change = () => undefined
    await two.time.advance(60_000)
    await expect(reading).rejects.toThrow('did not answer in time')
    expect(ends).toBe(1)
  })

  test('says at once when nobody listens, when there is no connection, and when it is too large', async () => {
    const two = twoDaemons({ serve: async () => answerOf([]) })
    await expect(two.asking.ask(request(new Uint8Array(1024 * 1024)))).rejects.toThrow(
      'the hub carries messages of 1048576 at most',
    )
    await expect(two.asking.ask({ ...request(), agentId: A })).rejects.toThrow('not approved here')
    two.answering.use(undefined)
    await expect(two.asking.ask(request())).rejects.toThrow('nobody listens for its calls')
    two.asking.use(undefined)
    await expect(two.asking.ask(request())).rejects.toThrow('not connected to its hub')
  })

  test('believes no answer that another one signed, that was changed, left out or sent twice', async () => {
    const two = twoDaemons({ serve: async () => answerOf([bytes('one'), bytes('two')]) })
    expect(await textOf(await two.asking.ask(request()))).toBe('onetwo')
    const isData = ({ body }: HeardMessage) => body.length === 3
    const changed = async (change: MemoryWire['change']) => {
      two.wire.change = change
      return two.asking
        .ask(request())
        .then(textOf)
        .catch((error: Error) => error.message)
    }
    expect(
      await changed((_, message) => (isData(message) ? { ...message, body: bytes('bad') } : message)),
    ).toContain('not signed')
    let seen = 0
    expect(await changed((_, message) => (isData(message) && seen++ === 0 ? undefined : message))).toContain(
      'not signed',
    )
    const mallory = signer(keyNamed('mallory'))
    const forged = await mallory.sign(
      { iss: B, aud: A, jti: 'x', n: 0, part: 'end', sha256: sha256('') },
      'cacpd-answer+jwt',
    )
    expect(
      await changed((subject, message) =>
        subject.startsWith('_INBOX') && message.proof !== '' ? { ...message, proof: forged } : message,
      ),
    ).toContain('not signed')
  })

  test('is answered nowhere but in an inbox', async () => {
    const two = twoDaemons({ serve: async () => answerOf([]) })
    const subjects: string[] = []
    two.wire.change = (subject, message) => {
      subjects.push(subject)
      return subject.includes('.call.') ? { ...message, reply: 'cacp.acme.p1.claim.x' } : message
    }
    const asked = two.asking.ask(request())
    asked.catch(() => {})
    await two.time.settle()
    expect(subjects).toHaveLength(1)
    await two.time.advance(30_000)
    await expect(asked).rejects.toThrow('did not answer in time')
  })
})
