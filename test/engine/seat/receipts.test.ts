import { describe, expect, test } from 'vitest'
import type { Shown } from '../../../src/domain/delivery/receipt.ts'
import type { Caller, Env, Self } from '../../../src/domain/env.ts'
import type { Sighting } from '../../../src/domain/views/entities.ts'
import { createReceipts } from '../../../src/engine/seat/receipts.ts'
import { get } from '../../../src/methods/contract/get.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { Author } from '../../domain/statements/author.ts'
import { BACKEND, type Desk, FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'
import { hear, outvoted } from '../../support/desk/inbox-scenes.ts'
import { signerOf } from '../../support/desk/signer.ts'
import { openPlainDesk } from '../../support/plain-peer/plain-desk.ts'

const { publicKey, keyId } = signerOf(BACKEND)
const SELF = { agentId: BACKEND, signer: { publicKey, keyId } } as Self
const operatorAs = (agentId: string): Caller => ({ kind: 'operator', agentId, repoName: null })

/** Receipts whose rests end when they are told to. */
function noting({ store, clock }: Desk) {
  let endRest = () => {}
  const timers = {
    millis: () => 0,
    after: (_millis: number, task: () => void) => {
      endRest = task
      return () => {}
    },
  }
  const receipts = createReceipts({ self: SELF, store, clock, timers, everyMillis: 1000 })
  return { receipts, endRest: () => endRest() }
}

/** A project in which the backend has shared something, and how often each repo was noted to have seen it. */
async function openShared(desk: Desk) {
  const { projectId, backend, frontend } = await openFeature(desk)
  const share = async () => {
    const { packetId } = await backend('cacp/context/share', {
      projectId,
      type: 'decision',
      content: { text: 'we use JWT' },
    })
    return packetId
  }
  const found = () => desk.store.view.projects.get(projectId) ?? expect.fail('no project')
  const shownNow = (...ids: string[]): Shown => ({
    project_id: projectId,
    packets: ids.flatMap((id) => found().packets.get(id) ?? []),
  })
  const sightings = (id: string): readonly Sighting[] => found().sightingsOf(id)
  return { projectId, backend, frontend, share, found, shownNow, sightings }
}

/** What was begun to be written is on disk. */
const written = (desk: Desk): Promise<null> => desk.store.commit(() => ({ result: null }))

describe('what an agent of this daemon was shown', () => {
  test('is said in the name of its repo, as of the state that was shown, and once', async () => {
    await using desk = await openDesk()
    const { found, share, shownNow, sightings } = await openShared(desk)
    const packetId = await share()
    const { receipts, endRest } = noting(desk)
    receipts.note(operatorAs(FRONTEND), shownNow(packetId))
    await written(desk)
    const [seen] = sightings(packetId)
    const packet = found().packets.get(packetId)
    expect(sightings(packetId)).toEqual([
      { repo_id: seen?.repo_id, of: packet?.updated_at, parts: 1, at: expect.any(String) },
    ])
    expect(found().repos.get(seen?.repo_id ?? '')?.name).toBe('frontend-app')
    const { size } = found().said
    endRest()
    receipts.note(operatorAs(FRONTEND), shownNow(packetId))
    await receipts[Symbol.asyncDispose]()
    expect(found().said.size).toBe(size)
  })

  test('is not what a program reads that shows it to no agent', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openShared(desk)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Me',
      content: {},
    })
    const shownBy = (unseen: boolean) => {
      const params = { projectId, contractId, includeHistory: false, unseen }
      const env = { caller: operatorAs(FRONTEND), self: SELF } as Env
      return get.decide(desk.store.view, params, env).shows?.contracts?.length
    }
    expect([shownBy(false), shownBy(true)]).toEqual([1, undefined])
  })

  test('is no change of what was shown, nor of its project', async () => {
    await using desk = await openDesk()
    const { projectId, backend, found, share, shownNow } = await openShared(desk)
    const packetId = await share()
    const before = await backend('cacp/project/get', { projectId })
    const project = found()
    const { receipts } = noting(desk)
    receipts.note(operatorAs(FRONTEND), shownNow(packetId))
    await receipts[Symbol.asyncDispose]()
    expect(await backend('cacp/project/get', { projectId })).toEqual(before)
    expect(found()).toBe(project)
  })

  test('is written at once after a quiet time, and together while it is busy', async () => {
    await using desk = await openDesk()
    const { share, shownNow, sightings } = await openShared(desk)
    const [first, second, third] = [await share(), await share(), await share()]
    const { receipts, endRest } = noting(desk)
    receipts.note(operatorAs(FRONTEND), shownNow(first))
    await written(desk)
    receipts.note(operatorAs(FRONTEND), shownNow(second))
    receipts.note(operatorAs(FRONTEND), shownNow(third))
    await written(desk)
    expect([first, second, third].map((id) => sightings(id).length)).toEqual([1, 0, 0])
    endRest()
    await written(desk)
    expect([first, second, third].map((id) => sightings(id).length)).toEqual([1, 1, 1])
  })

  test('is not lost when it could not be written, nor when the daemon ends', async () => {
    await using desk = await openDesk()
    const { share, shownNow, sightings } = await openShared(desk)
    const packetId = await share()
    let failures = 1
    const store = {
      view: desk.store.view,
      commit: ((decide) =>
        failures-- > 0
          ? Promise.reject(new Error('disk full'))
          : desk.store.commit(decide)) as Desk['store']['commit'],
    }
    const { receipts } = noting({ ...desk, store: store as Desk['store'] })
    receipts.note(operatorAs(FRONTEND), shownNow(packetId))
    await receipts[Symbol.asyncDispose]()
    expect(sightings(packetId)).toHaveLength(1)
  })

  test('is nothing where it wrote that itself, holds no repo here, or is no agent of this daemon', async () => {
    await using desk = await openDesk()
    const { projectId, share, shownNow, sightings } = await openShared(desk)
    const packetId = await share()
    const { receipts } = noting(desk)
    receipts.note(operatorAs(BACKEND), shownNow(packetId))
    receipts.note(operatorAs('aid://example.com/nobody@1.0.0'), shownNow(packetId))
    receipts.note({ kind: 'peer', agentId: FRONTEND, repoName: 'frontend-app' }, shownNow(packetId))
    const elsewhere = new Author('elsewhere')
    await hear(desk, elsewhere.claim(projectId, 'mobile-app', desk.clock.now()))
    receipts.note(operatorAs('elsewhere'), shownNow(packetId))
    await receipts[Symbol.asyncDispose]()
    expect(sightings(packetId)).toEqual([])
  })

  test('is nothing in the name of a repo whose claim was lost meanwhile', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openShared(desk)
    const lost = await outvoted({ desk, frontend })
    const { packetId } = await frontend('cacp/context/share', { projectId, type: 'decision', content: {} })
    const packet = desk.store.view.projects.get(projectId)?.packets.get(packetId) ?? expect.fail('no packet')
    const { receipts } = noting(desk)
    receipts.note(operatorAs(FRONTEND), { project_id: lost.projectId, packets: [packet] })
    await receipts[Symbol.asyncDispose]()
    expect(desk.store.view.projects.get(lost.projectId)?.sightingsOf(packetId)).toEqual([])
  })

  test('leaves room to report what a plain peer does, however much others have it look at', async () => {
    using _few = withFewStatements()
    await using plain = await openPlainDesk()
    const { desk, projectId, found } = plain
    const stranger = new Author('stranger')
    const claim = stranger.claim(projectId, 'mobile-app', desk.clock.now())
    const packets = Array.from({ length: 100 }, () => stranger.share(claim, desk.clock.now()))
    await hear(desk, claim, ...packets)
    const { receipts } = noting(desk)
    receipts.note(operatorAs(BACKEND), { project_id: projectId, packets: [...found().packets.oldestFirst()] })
    await receipts[Symbol.asyncDispose]()
    const seen = packets.filter(({ about }) => found().sightingsOf(about).length > 0)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.length).toBeLessThan(packets.length)
    await plain.know()
    expect(await plain.show(plain.held({ status: 'agreed' }))).toMatchObject({ status: 'updated' })
    expect(plain.contract().history.answers).toMatchObject([{ repo_id: plain.plainRepo, action: 'agree' }])
  })
})

/** A key may say so little that a test comes to the end of it. */
function withFewStatements(): Disposable {
  const { keyStatements, keySpare } = LIMITS
  Object.assign(LIMITS, { keyStatements: 120, keySpare: { ...keySpare, statements: 10 } })
  return { [Symbol.dispose]: () => Object.assign(LIMITS, { keyStatements, keySpare }) }
}
