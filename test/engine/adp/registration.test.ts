import { describe, expect, test } from 'vitest'
import { signatureOf } from '../../../src/engine/adp/manifest-signature.ts'
import { createRegistration } from '../../../src/engine/adp/registration.ts'
import { openIdentity } from '../../../src/io/identity/identity.ts'
import { verifyBytes } from '../../../src/io/identity/signature.ts'
import { cacpEndpoint, readManifest } from '../../../src/protocol/agent/adp.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'
import { signerOf } from '../../support/desk/signer.ts'
import { folderWith } from '../../support/folders/folder.ts'

const SELF = {
  agentId: 'aid://example.com/backend@1.0.0',
  repo: 'größen-api',
  role: 'backend',
  language: 'python',
  endpoint: 'http://127.0.0.1:8080',
  storeId: 's',
  signer: signerOf('backend'),
}

/** Timers that go off when the test says so. */
class Alarm {
  waits: number[] = []
  readonly millis = () => 0
  #task: (() => void) | undefined

  readonly after = (millis: number, task: () => void) => {
    this.waits.push(millis)
    this.#task = task
    return () => {
      if (this.#task === task) this.#task = undefined
    }
  }

  get isSet(): boolean {
    return this.#task !== undefined
  }

  ring(): void {
    const task = this.#task
    this.#task = undefined
    task?.()
  }
}

async function setting() {
  const folder = await folderWith()
  const clock = {
    now: () => stampOfMillis(Date.parse('2026-11-16T12:00:00Z')),
    newId: () => 'x',
    newNonce: () => 'y',
  }
  const identity = await openIdentity(folder.path, clock)
  const sent: string[] = []
  const told: (string | undefined)[] = []
  const alarm = new Alarm()
  let isAway = false
  const registration = createRegistration({
    self: SELF,
    identity,
    clock,
    timers: alarm,
    renewMillis: 1000,
    retryMillis: 100,
    tell: (failure) => told.push(failure?.message),
    exchange: {
      register: async (manifest) => {
        if (isAway) throw new Fault('unavailable', 'It is away')
        sent.push(manifest)
      },
    },
  })
  return {
    registration,
    identity,
    sent,
    told,
    alarm,
    away: (now: boolean) => {
      isAway = now
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

describe('a registration', () => {
  test('sends a manifest that says who this daemon is, and is signed by it', async () => {
    await using here = await setting()
    await here.registration.register()
    const read = readManifest(here.sent[0] ?? '')
    expect(signatureOf(read, verifyBytes)).toBe('valid')
    expect(read.manifest).toMatchObject({
      aid: SELF.agentId,
      metadata: { cacp: { role: 'backend', languages: ['python'] } },
    })
    expect(cacpEndpoint(read.manifest)).toBe(SELF.endpoint)
    expect(here.told).toEqual([undefined])
  })

  test('names everything that ADP demands of a manifest', async () => {
    await using here = await setting()
    await here.registration.register()
    const other = (here.sent[0] ?? '').replace('"type":"cacp"', '"type":"rest"')
    expect(() => readManifest(other)).not.toThrow()
  })

  test('is renewed again and again', async () => {
    await using here = await setting()
    await here.registration.register()
    for (let times = 2; times < 5; times++) {
      here.alarm.ring()
      await expect.poll(() => here.sent.length).toBe(times)
    }
    await expect.poll(() => here.alarm.waits).toEqual([1000, 1000, 1000, 1000])
  })

  test('that fails throws, is told of, and is tried again at growing intervals', async () => {
    await using here = await setting()
    here.away(true)
    await expect(here.registration.register()).rejects.toThrow('It is away')
    for (let times = 2; times < 7; times++) {
      here.alarm.ring()
      await expect.poll(() => here.told.length).toBe(times)
    }
    expect(here.alarm.waits).toEqual([100, 200, 400, 800, 1000, 1000])
    here.away(false)
    here.alarm.ring()
    await expect.poll(() => here.told.at(-1)).toBeUndefined()
    expect(here.alarm.waits.at(-1)).toBe(1000)
  })

  test('after a rotation names the new key, and the statement by which the old one vouches for it', async () => {
    await using here = await setting()
    await here.registration.register()
    await here.identity.rotate(SELF.agentId)
    here.registration.renew()
    await expect.poll(() => here.sent.length).toBe(2)
    const [before, after] = here.sent.map((text) => readManifest(text))
    if (before === undefined || after === undefined) throw new Error('two were sent')
    expect(signatureOf(after, verifyBytes)).toBe('valid')
    expect(after.manifest.security?.signingKeys?.previous).toEqual([
      JSON.parse(before.text).security.signingKeys.current,
    ])
    expect(after.manifest.metadata?.cacpd?.rotations).toHaveLength(1)
  })

  test('that is over sends nothing any more', async () => {
    await using here = await setting()
    await here.registration.register()
    here.registration[Symbol.dispose]()
    expect(here.alarm.isSet).toBe(false)
    here.registration.renew()
    await here.registration.register()
    expect(here.sent).toHaveLength(1)
    expect(here.alarm.isSet).toBe(false)
  })
})
