import { expect, test } from 'vitest'
import type { Self } from '../../../src/domain/env.ts'
import { tokenOf } from '../../../src/domain/hub/subject.ts'
import { hubFault } from '../../../src/domain/hub/trouble.ts'
import { createDirectory } from '../../../src/engine/hub/directory.ts'
import { createOwnCard, type OwnCard } from '../../../src/engine/hub/own-card.ts'
import type { HubCards, KeptCard } from '../../../src/engine/ports/hub-rooms.ts'
import { addMicros, type Stamp } from '../../../src/protocol/stamp.ts'
import { keyNamed } from '../../support/simulated/identity.ts'
import { VirtualTime } from '../../support/simulated/virtual-time.ts'
import { signer, verify } from './compact-signatures.ts'

const BEGIN = '2026-01-01T00:00:00.000000Z' as Stamp
const MINUTE = 60_000

class MemoryCards implements HubCards {
  readonly kept = new Map<string, KeptCard>()
  failure: Error | undefined
  reads = 0

  async put(agentId: string, text: string): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    const token = tokenOf(agentId)
    this.kept.set(token, { token, text, at: BEGIN })
  }

  async get(agentId: string): Promise<KeptCard | undefined> {
    return this.kept.get(tokenOf(agentId))
  }

  async list(most: number): Promise<readonly KeptCard[]> {
    this.reads++
    return [...this.kept.values()].slice(0, most)
  }
}

function cardOf(name: string, time: VirtualTime, boot = name): OwnCard {
  const key = keyNamed(name)
  return createOwnCard({
    self: { agentId: `aid://example.com/${name}@1.0.0`, repo: `${name}-app`, role: 'test' } as Self,
    identity: { ...signer(key), publicKey: key, rotations: [] } as never,
    verify,
    clock: { now: () => addMicros(BEGIN, time.now * 1000) } as never,
    timers: time,
    capabilities: ['python'],
    bootId: () => boot,
  })
}

const kinds = (card: OwnCard) => card.troubles().map(({ kind }) => kind)

test('a daemon puts its card on the hub when it connects and every few minutes, until it leaves', async () => {
  const time = new VirtualTime()
  const cards = new MemoryCards()
  const own = cardOf('a', time)
  await own.use({ org: 'acme', cards })
  cards.kept.clear()
  await time.advance(4 * MINUTE)
  expect(cards.kept.size).toBe(1)
  await own.use(undefined)
  cards.kept.clear()
  await time.advance(10 * MINUTE)
  expect(cards.kept.size).toBe(0)
})

test('a second daemon of the same identity is told at both, and forgotten when it is gone', async () => {
  const time = new VirtualTime()
  const cards = new MemoryCards()
  const [one, copy] = [cardOf('a', time, 'one'), cardOf('a', time, 'copy')]
  await one.use({ org: 'acme', cards })
  await time.advance(MINUTE)
  await copy.use({ org: 'acme', cards })
  expect([kinds(one), kinds(copy)]).toEqual([[], []])
  await time.advance(4 * MINUTE)
  expect([kinds(one), kinds(copy)]).toEqual([['twice'], ['twice']])
  await copy.use(undefined)
  await time.advance(7 * MINUTE)
  expect(kinds(one)).toEqual([])
})

test('a daemon that was only started again is not taken for two', async () => {
  const time = new VirtualTime()
  const cards = new MemoryCards()
  const before = cardOf('a', time, 'before')
  await before.use({ org: 'acme', cards })
  await before.use(undefined)
  const after = cardOf('a', time, 'after')
  await after.use({ org: 'acme', cards })
  await time.advance(10 * MINUTE)
  expect(kinds(after)).toEqual([])
})

test('what keeps the card from the hub is told until it is there', async () => {
  const time = new VirtualTime()
  const cards = new MemoryCards()
  cards.failure = hubFault('no_streams', 'The hub has no bucket')
  const own = cardOf('a', time)
  await own.use({ org: 'acme', cards })
  expect(kinds(own)).toEqual(['no_streams'])
  cards.failure = undefined
  await time.advance(4 * MINUTE)
  expect(kinds(own)).toEqual([])
})

test('the cards on the hub are read when somebody asks, once for many who do, and anew for a decision', async () => {
  const time = new VirtualTime()
  const cards = new MemoryCards()
  await cardOf('a', time).use({ org: 'acme', cards })
  await cardOf('b', time).use({ org: 'acme', cards })
  const directory = createDirectory({ timers: time, verify })
  expect(await directory.list()).toEqual([])
  directory.use({ org: 'acme', cards })
  expect(cards.reads).toBe(0)
  const [seen] = await Promise.all([directory.list(), directory.list()])
  expect(seen.map(({ repo, capabilities }) => [repo, capabilities])).toEqual([
    ['a-app', ['python']],
    ['b-app', ['python']],
  ])
  expect(cards.reads).toBe(1)
  expect(await directory.meant('b-app')).toMatchObject({ agentId: 'aid://example.com/b@1.0.0' })
  expect(await directory.meant('c-app')).toBeUndefined()
  expect(cards.reads).toBe(3)
})
