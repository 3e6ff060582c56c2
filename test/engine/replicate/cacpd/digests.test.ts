import { expect, test } from 'vitest'
import { withoutContent } from '../../../../src/domain/statements/statement.ts'
import { bucketDigests, formOf } from '../../../../src/engine/replicate/cacpd/digests.ts'
import { at } from '../../../domain/statements/at.ts'
import { openScene } from '../../../domain/statements/scene.ts'
import { digested, pause } from '../digested.ts'

test('of a project that only a peer speaks of nothing is kept', async () => {
  const { digests } = await digested()
  expect([...(await digests.forms('unheard'))]).toEqual([])
  expect((await digests.totals()).size).toBe(0)
})

test('two daemons that heard the same in another order have the same digests, and another one until then', async () => {
  const { story, project, frontend, claims, repos, backend } = openScene()
  const contract = backend.propose(claims.backend, at(10), { parties: [repos.frontend] })
  const started = frontend.work(claims.frontend, contract, { at: at(11), status: 'in_progress' })
  const done = frontend.work(claims.frontend, contract, { at: at(12), status: 'complete' })
  const one = await digested()
  const other = await digested()
  for (const statement of [...story, contract, started, done]) {
    await one.take(statement)
    await one.digests.totals()
  }
  await other.take(...[...story].reverse(), contract, done)
  await other.take(started)
  const [ours, theirs] = [await one.digests.totals(), await other.digests.totals()]
  expect(ours).toEqual(theirs)
  expect(ours.get(project)?.count).toBe(story.length + 2)
  await other.take(frontend.share(claims.frontend, at(20)))
  expect(await other.digests.totals()).not.toEqual(ours)
})

test('a statement whose content was taken away is another one, on whichever way that happened', async () => {
  const { story, project, frontend, claims } = openScene()
  const packet = frontend.share(claims.frontend, at(10))
  const redaction = frontend.redact(claims.frontend, packet, at(11))
  const one = await digested()
  await one.take(...story, packet)
  const before = await one.digests.totals()
  await one.take(redaction)
  const other = await digested()
  await other.take(...story, redaction, withoutContent(packet))
  expect(await one.digests.totals()).toEqual(await other.digests.totals())
  expect(await one.digests.totals()).not.toEqual(before)
  expect([...(await one.digests.forms(project))]).toContain(`${packet.id} bare`)
})

test('what differs is in the buckets that differ', async () => {
  const { story, frontend, claims } = openScene()
  const packet = frontend.share(claims.frontend, at(10))
  const forms = story.map(formOf)
  const [ours, theirs] = [
    await bucketDigests(forms, 64, pause),
    await bucketDigests([...forms, formOf(packet)], 64, pause),
  ]
  expect(ours.filter((digest, bucket) => digest !== theirs[bucket])).toHaveLength(1)
})

test('what is dropped is in no digest any more', async () => {
  const { story, frontend, claims } = openScene()
  const packet = frontend.share(claims.frontend, at(10))
  const desk = await digested()
  const { digests, store } = desk
  await desk.take(...story)
  const before = await digests.totals()
  await desk.take(packet)
  expect(await digests.totals()).not.toEqual(before)
  await store.commit(() => ({ result: undefined, drops: [packet] }))
  expect(await digests.totals()).toEqual(before)
  await desk.take(packet)
  expect(await digests.totals()).not.toEqual(before)
})
