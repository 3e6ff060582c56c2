import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { SLOW, start, startIn } from './plain-story.ts'

const OWN = 'aid://example.com/backend@1.0.0'
const SENTENCE = `Two daemons run as ${OWN} at the same time`

test('a copied data directory that runs twice is told by both daemons and by their peer', async () => {
  await using folder = await folderWith()
  await using copy = await folderWith()
  await using frontend = await start({ repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' })
  const twiceAt = async () => (await frontend.rpc('cacp/peer/list')).peers[0]?.runsTwice
  const first = await startIn(folder.path)
  await first.rpc('cacp/peer/add', { url: frontend.url })
  const health = async () => (await frontend.rpc('cacp/peer/list')).peers[0]?.health
  await expect.poll(health, SLOW).toBe('healthy')
  const healthOfOther = async () => (await first.rpc('cacp/peer/list', {})).peers[0]?.health
  await expect.poll(healthOfOther, SLOW).toBe('healthy')
  await first.stop()
  await cp(join(folder.path, '.cacp'), join(copy.path, '.cacp'), { recursive: true })

  const one = await startIn(folder.path)
  await expect.poll(health, SLOW).toBe('healthy')
  expect(await twiceAt()).toBe(false)
  const other = await startIn(copy.path)

  await expect.poll(twiceAt, SLOW).toBe(true)
  for (const daemon of [one, other]) {
    await expect.poll(() => daemon.warnings(), SLOW).toEqual([expect.stringContaining(SENTENCE)])
    const { peers } = await daemon.rpc('cacp/peer/list', {})
    expect(peers).toMatchObject([{ hearsUsTwice: true, runsTwice: false }])
  }
  const { json } = await frontend.fetch('/health')
  expect(json.warnings).toEqual([expect.stringContaining(SENTENCE)])
  await one.stop()
  await other.stop()
})
