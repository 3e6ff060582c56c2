import { describe, expect, test } from 'vitest'
import type { LinkState, Peer } from '../../../../src/domain/model.ts'
import { type Statement, textOf } from '../../../../src/domain/statements/statement.ts'
import {
  type CacpdExchangeDeps,
  createCacpdExchange,
} from '../../../../src/engine/replicate/cacpd/exchange.ts'
import type { Comparison } from '../../../../src/engine/replicate/cacpd/repair.ts'
import { StatementLog } from '../../../../src/engine/replicate/cacpd/statement-log.ts'
import { StatementTexts } from '../../../../src/engine/replicate/cacpd/statement-texts.ts'
import { createBootIds } from '../../../../src/engine/replicate/peer/boot-ids.ts'
import { Clocks } from '../../../../src/engine/replicate/peer/clocks.ts'
import { createConversation } from '../../../../src/engine/replicate/peer/conversation.ts'
import { REPLICATION_RULES } from '../../../../src/engine/replicate/rules.ts'
import type { JsonObject } from '../../../../src/protocol/json/json.ts'
import { addMicros, latest, type Stamp } from '../../../../src/protocol/stamp.ts'
import { at } from '../../../domain/statements/at.ts'
import { openScene } from '../../../domain/statements/scene.ts'
import { intakeDesk, PEER } from '../intake-desk.ts'

const { agentId: PEER_ID } = PEER
const ENDPOINT = 'http://backend.test'

interface Given {
  /** What is remembered of it. */
  link?: Partial<LinkState>
  /** The store that it says it has. */
  storeId?: string
  endpoint?: string
  outcomeOf?: (statement: Statement) => JsonObject
  /** What it shows that it has not, when states are compared. */
  lacks?: (statement: Statement) => boolean
  batchItems?: number
  /** The time that it says its clock shows. */
  theirNow?: Stamp
  /** Called whenever statements arrive at it, before it answers. */
  onArrival?: (links: LinkState | undefined) => void
  /** Time passes at once. */
  isHasty?: boolean
}

/** With a peer of a store called theirs, which takes whatever it is sent, and a state of some statements here. */
async function exchange(given: Given = {}) {
  const { storeId = 'theirs', endpoint = ENDPOINT, outcomeOf = () => ({ status: 'taken' }) } = given
  const { lacks = () => true } = given
  const desk = await intakeDesk()
  const { store, heard } = desk
  const peer: Peer = {
    agent_id: PEER_ID,
    endpoint: 'http://frontend.test',
    repo_name: 'peer-app',
    trust: 'approved',
    registered_at: at(0),
    last_seen: at(0),
  }
  const link: LinkState = { agent_id: PEER_ID, acked_seq: 0, told_endpoint: ENDPOINT, ...given.link }
  await store.commit(() => ({
    result: undefined,
    local: [
      { table: 'peer', id: PEER_ID, value: peer },
      { table: 'link', id: PEER_ID, value: link },
    ],
  }))
  const scene = openScene()
  await desk.intake.take(scene.story.map(textOf), { caller: { ...PEER, agentId: 'other' } })
  const statements = new StatementLog(store.statements(), store.view)
  store.onDurable((more) => statements.record(more))
  const self = {
    agentId: 'aid://example.com/backend@1.0.0',
    endpoint,
    repo: '',
    storeId: 'ours',
    signer: { keyId: openScene().backend.key },
  }
  const sent: string[][] = []
  const registered: string[] = []
  const answer = ({ method, params }: { method: string; params: JsonObject }): JsonObject => {
    if (method !== 'cacp/sync/statements')
      return {
        storeId,
        bootId: 'theirs',
        peers: [{ agentId: self.agentId }],
        ...(given.theirNow === undefined ? {} : { now: given.theirNow }),
      }
    const texts = params['statements'] as string[]
    const told = texts.map((text) => JSON.parse(text) as Statement)
    sent.push(told.map(({ id }) => id))
    given.onArrival?.(store.view.links.get(PEER_ID))
    return { outcomes: told.map(outcomeOf) }
  }
  const made = createCacpdExchange({
    self,
    peer,
    view: store.view,
    store,
    statements,
    texts: new StatementTexts(),
    heard,
    conversation: createConversation({
      client: {
        get: async () => '',
        post: async (url: string, body: string) => {
          if (!url.endsWith('/peers/register'))
            return JSON.stringify(
              JSON.parse(body).map((call: never, id: number) => ({ id, result: answer(call) })),
            )
          registered.push(body)
          return ''
        },
      },
      endpoint: 'http://frontend.test',
      agentId: PEER_ID,
      millis: 1000,
    }),
    clock: { now: () => at(1000) },
    timers: {
      millis: () => 0,
      after: (_: number, run: () => void) => {
        if (given.isHasty) queueMicrotask(run)
        return () => {}
      },
    },
    repair: {
      run: async ({ hand }: Comparison) =>
        hand([...(store.view.projects.get(scene.project)?.said ?? [])].filter(lacks)),
    },
    rules: { ...REPLICATION_RULES, batchItems: given.batchItems ?? 400 },
    bootId: 'ours',
    clocks: new Clocks(),
    bootIds: createBootIds({ now: () => at(1000), millis: 1000 }),
    repairSoon: () => {},
  } as unknown as CacpdExchangeDeps)
  return { made, desk, sent, registered, seq: statements.seq, ...scene }
}

const idsOf = (statements: readonly Statement[]) => statements.map(({ id }) => id)

describe('a peer', () => {
  test('gets all in their order, in batches, and nothing twice', async () => {
    const { made, sent, story, seq } = await exchange({ batchItems: 4 })
    await made.begin()
    await made.push()
    expect(sent.flat()).toEqual(idsOf(story))
    expect(sent[0]).toHaveLength(4)
    expect(made.report()).toMatchObject({ acked: seq, behind: 0 })
    await made.push()
    expect(sent.flat()).toHaveLength(story.length)
  })

  test('goes on from where it was, if it still has the same store', async () => {
    const { made, sent, story } = await exchange({ link: { store_id: 'theirs', acked_seq: 3 } })
    await made.begin()
    await made.push()
    expect(sent.flat()).toEqual(idsOf(story.slice(3)))
  })

  test('gets everything again when it has another store', async () => {
    const { made, sent, story } = await exchange({ link: { store_id: 'one that was wiped', acked_seq: 3 } })
    await made.begin()
    await made.push()
    expect(sent.flat()).toEqual(idsOf(story))
  })

  test('that is remembered to have more than there is, as after a backup was restored here, has all that is here', async () => {
    const { made, seq } = await exchange({ link: { store_id: 'theirs', acked_seq: 1000 } })
    await made.begin()
    expect(made.report()).toMatchObject({ acked: seq, behind: 0 })
  })

  test('is not sent what it sent itself', async () => {
    const { made, desk, sent, story, frontend, claims } = await exchange()
    await made.begin()
    const theirs = frontend.share(claims.frontend, at(20))
    await desk.intake.take([textOf(theirs)], { caller: PEER, bootId: 'theirs' })
    await made.push()
    expect(sent.flat()).toEqual(idsOf(story))
  })

  test('that refuses something gets the rest, and what it refused is told', async () => {
    const reason = 'I do not like it'
    const { made, sent, story, seq } = await exchange({
      outcomeOf: ({ kind }) =>
        kind === 'claim' ? { status: 'refused', reason, retryable: false } : { status: 'taken' },
    })
    await made.begin()
    await made.push()
    expect(sent.flat()).toHaveLength(story.length)
    const { acked, aside, behind } = made.report()
    expect(acked).toBe(seq)
    expect(aside.map((one) => one.reason)).toEqual(Array(3).fill(`claim: ${reason}`))
    expect(behind).toBe(3)
  })

  test('that took something is remembered with the newest time of what this daemon said of it', async () => {
    const { made, desk, story, claims } = await exchange({
      theirNow: at(-1000),
      outcomeOf: ({ kind }) => (kind === 'confirmation' ? { status: 'refused' } : { status: 'taken' }),
    })
    await made.begin()
    await made.push()
    await made.end()
    expect(story.some(({ kind, at }) => kind === 'confirmation' && at > claims.mobile.at)).toBe(true)
    expect(desk.store.view.links.get(PEER_ID)?.took_until).toBe(claims.backend.at)
  })

  test('is remembered to have perhaps what it is sent, before that goes out, and also when no answer comes', async () => {
    const onDisk: (Stamp | undefined)[] = []
    const { made, desk, story } = await exchange({
      onArrival: (link) => {
        onDisk.push(link?.took_until)
        throw new Error('the line is dead')
      },
    })
    const { key } = openScene().backend
    const newest = latest(story.filter((one) => one.key === key).map((one) => one.at))
    await made.begin()
    await expect(made.push()).rejects.toThrow('the line is dead')
    await made.end()
    expect(onDisk).toEqual([addMicros(newest, 60_000_000)])
    expect(desk.store.view.links.get(PEER_ID)?.took_until).toBe(onDisk[0])
  })

  test('whose clock is too far behind to take anything is not remembered to have it', async () => {
    const { made, desk } = await exchange({
      theirNow: at(-1000),
      outcomeOf: () => ({ status: 'refused', reason: 'ahead of this clock', retryable: true }),
    })
    await made.begin()
    await made.push()
    await made.end()
    expect(desk.store.view.links.get(PEER_ID)?.took_until).toBeUndefined()
  })

  test('is not sent what was said again under another id since the batch was made', async () => {
    const { made, desk, sent, story } = await exchange()
    const gone = story.at(-1)
    if (gone === undefined) throw new Error('the scene has a story')
    await made.begin()
    const pushing = made.push()
    await desk.store.commit(() => ({ result: undefined, drops: [gone] }))
    await pushing
    expect(sent.flat()).not.toContain(gone.id)
  })

  test('that refused something is remembered with it, also by the next exchange', async () => {
    const { made, desk, claims } = await exchange({
      outcomeOf: ({ kind }) => (kind === 'claim' ? { status: 'refused', reason: 'no' } : { status: 'taken' }),
    })
    await made.begin()
    await made.push()
    await made.end()
    const link = desk.store.view.links.get(PEER_ID)
    const { id, project_id, about } = claims.frontend
    expect(link?.refused?.count).toBe(3)
    expect(link?.refused?.newest).toContainEqual({
      id: `repo ${project_id} ${about} ${id}`,
      reason: 'claim: no',
      since: at(1000),
    })
    const next = await exchange(link === undefined ? {} : { link })
    await next.made.begin()
    expect(next.made.report()).toMatchObject({ behind: 3, aside: [{ reason: 'claim: no' }, {}, {}] })
  })

  test('and comes with another store has refused nothing of that', async () => {
    const refused = { count: 300, newest: [{ id: 'one', reason: 'claim: no', since: at(0) }] }
    const { made } = await exchange({ link: { store_id: 'earlier', refused } })
    await made.begin()
    await made.push()
    expect(made.report()).toMatchObject({ behind: 0, aside: [] })
  })
})

describe('a peer that lacks the same again in every comparison', () => {
  const comparisonsWith = async (outcome: JsonObject): Promise<number[]> => {
    const { made, sent } = await exchange({ isHasty: true, outcomeOf: () => outcome })
    await made.begin()
    const handed: number[] = []
    for (let times = 1; times <= 10; times++) {
      const before = sent.length
      await made.repair()
      if (sent.length > before) handed.push(times)
    }
    await made.end()
    return handed
  }

  test('though it says that it took it, is handed that ever more rarely', async () => {
    expect(await comparisonsWith({ status: 'taken' })).toEqual([1, 2, 4, 8])
  })

  test('because it is too much for it, is handed that ever more rarely', async () => {
    const outcome = { status: 'refused', reason: 'too much: its key has said enough', retryable: true }
    expect(await comparisonsWith(outcome)).toEqual([1, 2, 4, 8])
  })

  test('because it is too much for it, is told to lack that, and not what it refused before and has by now', async () => {
    const { frontend, mobile } = openScene()
    const tooMuch = { status: 'refused', reason: 'too much: its key has said enough', retryable: true }
    const altered = { status: 'refused', reason: 'id is not the hash of what it says', retryable: false }
    const outcomes = new Map([
      [frontend.key, tooMuch],
      [mobile.key, altered],
    ])
    const { made, story } = await exchange({
      isHasty: true,
      outcomeOf: ({ key }) => outcomes.get(key) ?? { status: 'taken' },
      lacks: ({ key }) => key === frontend.key,
    })
    const countOf = (key: string) => story.filter((one) => one.key === key).length
    await made.begin()
    await made.repair()
    await made.repair()
    await made.push()
    expect(made.report().behind).toBe(countOf(frontend.key) + countOf(mobile.key))
    await made.repair()
    const { behind, aside } = made.report()
    expect(behind).toBe(countOf(frontend.key))
    expect(aside).toHaveLength(countOf(frontend.key))
    for (const { reason } of aside) expect(reason).toContain('too much')
    await made.end()
  })

  test.each([
    { status: 'waits' },
    { status: 'refused', reason: 'at is more than 5 minutes ahead of this clock', retryable: true },
  ])('because it cannot take it yet, $status, is handed it every time', async (outcome) => {
    expect(await comparisonsWith(outcome)).toHaveLength(10)
  })
})

describe('a peer that knows us', () => {
  test('is not told again where we are', async () => {
    const { made, registered } = await exchange()
    await made.begin()
    expect(registered).toEqual([])
  })

  test('is told again when we have moved', async () => {
    const { made, registered } = await exchange({ endpoint: 'http://backend.test:81' })
    await made.begin()
    expect(registered.map((body) => JSON.parse(body))).toEqual([
      expect.objectContaining({ endpoint: 'http://backend.test:81' }),
    ])
  })
})
