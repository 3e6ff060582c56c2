import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rememberEndpoint } from '../../../src/io/place/data-dir.ts'
import { processStart } from '../../../src/io/runner/process-start.ts'
import { forgetRunning, rememberRunning, runningDaemons } from '../../../src/io/ui/running-daemons.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'

/** A data directory as a daemon in this process leaves it. */
async function dataDirIn(folder: Folder, repo: string, pid = process.pid): Promise<string> {
  const dataDir = folder.at(repo)
  await mkdir(dataDir)
  await rememberEndpoint(dataDir, {
    url: `http://127.0.0.1/${repo}`,
    port: 8080,
    pid,
    processStart: (await processStart(process.pid)) ?? '',
    agentId: `aid://example.com/${repo}@1.0.0`,
    repo,
    startedAt: '2026-11-16T09:00:00.000000Z',
  })
  return dataDir
}

test('those that run are found, by the names of their repositories, until they stop', async () => {
  await using folder = await folderWith()
  const state = folder.at('state')
  expect(await runningDaemons(state)).toEqual([])
  const [web, api] = [await dataDirIn(folder, 'web'), await dataDirIn(folder, 'api')]
  await rememberRunning(state, web)
  await rememberRunning(state, api)
  await rememberRunning(state, api)
  expect((await runningDaemons(state)).map(({ endpoint }) => endpoint.repo)).toEqual(['api', 'web'])
  await forgetRunning(state, api)
  await forgetRunning(state, api)
  expect((await runningDaemons(state)).map(({ dataDir }) => dataDir)).toEqual([web])
})

test('those that were killed, moved away or never wrote an address are left out', async () => {
  await using folder = await folderWith()
  const state = folder.at('state')
  await rememberRunning(state, await dataDirIn(folder, 'killed', 2 ** 22 - 1))
  await rememberRunning(state, folder.at('moved'))
  await mkdir(folder.at('broken'))
  await writeFile(join(folder.at('broken'), 'endpoint.json'), '{"pid":1}')
  await rememberRunning(state, folder.at('broken'))
  for (const [name, text] of Object.entries({
    'a.json': '{',
    'b.json': '[]',
    'c.json': '{"dataDir":7}',
    d: '',
  }))
    await writeFile(join(state, 'daemons', name), text)
  expect(await runningDaemons(state)).toEqual([])
})

test('nobody else reads where they are', async () => {
  await using folder = await folderWith()
  const state = folder.at('state')
  await rememberRunning(state, await dataDirIn(folder, 'api'))
  expect((await stat(join(state, 'daemons'))).mode & 0o077).toBe(0)
})
