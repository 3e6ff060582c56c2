import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { type DaemonProcess, startProcess } from './support/daemons/process.ts'
import { folderWith } from './support/folders/folder.ts'

const FLAGS = ['--port', '0', '--log-level', 'warn', '--repo', 'backend-api']

async function call({ url, key }: DaemonProcess, method: string, params: object) {
  const { body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: results of several methods
  const { result } = (await body.json()) as { result: any }
  return result
}

const create = async (at: DaemonProcess): Promise<string> =>
  (await call(at, 'cacp/project/create', { name: 'n', objective: 'o' })).projectId

const trailIn = async (directory: string): Promise<string> => {
  const names = (await readdir(directory)).filter((name) => name.startsWith('audit-')).sort()
  return (await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))).join('')
}

test('a daemon that is killed keeps every line of its audit trail that was written, and goes on below one that was cut off', async () => {
  await using folder = await folderWith()
  const directory = join(folder.path, '.cacp')
  const written: string[] = []
  for (let life = 0; life < 3; life++) {
    const daemon = await startProcess(directory, FLAGS)
    try {
      for (let count = 0; count < 20; count++) written.push(await create(daemon))
      await expect.poll(() => trailIn(directory), { timeout: 5000 }).toContain(written.at(-1))
      // What comes now may be lost, or cut off.
      for (let count = 0; count < 20; count++) await create(daemon)
    } finally {
      await daemon.stop('SIGKILL')
    }
    const lines = (await trailIn(directory)).split('\n').slice(0, -1)
    for (const line of lines.filter((text) => text !== '{"at":"20')) JSON.parse(line)
    await appendFile(join(directory, 'audit-000001.ndjson'), '{"at":"20')
  }
  const daemon = await startProcess(directory, FLAGS)
  try {
    const { lines } = await call(daemon, 'cacp/audit/list', { limit: 1000 })
    const projects = lines.map(({ projectId }: { projectId: string }) => projectId)
    expect(projects.filter((id: string) => written.includes(id))).toEqual([...written].reverse())
  } finally {
    await daemon.stop('SIGTERM')
  }
}, 60_000)

test('a daemon that is stopped has written every line', async () => {
  await using folder = await folderWith()
  const directory = join(folder.path, '.cacp')
  const daemon = await startProcess(directory, FLAGS)
  const written = [await create(daemon), await create(daemon)]
  await daemon.stop('SIGTERM')
  const trail = await trailIn(directory)
  for (const id of written) expect(trail).toContain(id)
  expect(trail.endsWith('\n')).toBe(true)
})
