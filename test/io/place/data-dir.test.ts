import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  DataDirError,
  ensureOperatorKey,
  findDataDir,
  readEndpoint,
  readOperatorKey,
  rememberEndpoint,
} from '../../../src/io/place/data-dir.ts'
import { findDaemon } from '../../../src/io/place/find-daemon.ts'
import { processStart } from '../../../src/io/runner/process-start.ts'
import { folderWith } from '../../support/folders/folder.ts'

const ENDPOINT = {
  url: 'http://127.0.0.1:8080',
  port: 8080,
  pid: process.pid,
  processStart: (await processStart(process.pid)) ?? '',
  agentId: 'aid://example.com/api@1.0.0',
  repo: 'api',
  startedAt: '2026-11-16T09:00:00.000000Z',
}
/** Above every limit for pids, so no process has it. */
const NO_PROCESS = 2 ** 30

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('the operator key', () => {
  test('is made once, for its owner only, and then never changes', async () => {
    await using folder = await folderWith()
    const key = await ensureOperatorKey(folder.path)
    expect(key).toMatch(/^cacp_op_[A-Za-z0-9_-]{43}$/)
    expect(await modeOf(folder.at('operator.key'))).toBe(0o600)
    expect(await ensureOperatorKey(folder.path)).toBe(key)
    expect(await readOperatorKey(folder.path)).toBe(key)
    expect(await readdir(folder.path)).toEqual(['operator.key'])
  })

  test('is made whole after a start that was cut off', async () => {
    await using folder = await folderWith({ 'operator.key.tmp': 'cacp_op_ha' })
    expect(await ensureOperatorKey(folder.path)).toMatch(/^cacp_op_[A-Za-z0-9_-]{43}$/)
    expect(await readdir(folder.path)).toEqual(['operator.key'])
  })

  test('is never replaced, even when it is not one', async () => {
    await using folder = await folderWith({ 'operator.key': 'mine' })
    await chmod(folder.at('operator.key'), 0o600)
    await expect(ensureOperatorKey(folder.path)).rejects.toThrow('does not hold an operator key')
    expect(await readFile(folder.at('operator.key'), 'utf8')).toBe('mine')
  })

  test('that others can read, as one from a cloned repository, is used by nobody', async () => {
    await using folder = await folderWith()
    await ensureOperatorKey(folder.path)
    await chmod(folder.at('operator.key'), 0o644)
    for (const useKey of [ensureOperatorKey, readOperatorKey])
      await expect(useKey(folder.path)).rejects.toMatchObject({
        message: expect.stringContaining('can be read by other users'),
        next: 'Remove it and restart the daemon, which then makes a new one',
      })
    expect(await modeOf(folder.at('operator.key'))).toBe(0o644)
  })

  test('that is missing is told apart from one that cannot be read', async () => {
    await using folder = await folderWith({ 'odd/operator.key/': '' })
    await expect(readOperatorKey(folder.path)).rejects.toThrow('There is no operator key')
    await expect(readOperatorKey(folder.at('odd'))).rejects.toThrow('cannot be read (EISDIR)')
  })
})

describe('the endpoint', () => {
  test('is remembered for the owner only, and replaced as a whole', async () => {
    await using folder = await folderWith({
      'endpoint.json': 'rubbish that is longer than an endpoint'.repeat(20),
    })
    await rememberEndpoint(folder.path, ENDPOINT)
    expect(await readEndpoint(folder.path)).toEqual(ENDPOINT)
    expect(await modeOf(folder.at('endpoint.json'))).toBe(0o600)
    expect(await readdir(folder.path)).toEqual(['endpoint.json'])
  })

  test('is undefined where no daemon was ever started', async () => {
    await using folder = await folderWith()
    expect(await readEndpoint(folder.path)).toBeUndefined()
    expect(await readEndpoint(folder.at('not/there'))).toBeUndefined()
  })

  test.each(['', '{', 'null', '[]', '{"url":"http://x"}'])(
    'that says %j is an error, not a guess',
    async (text) => {
      await using folder = await folderWith({ 'endpoint.json': text })
      await expect(readEndpoint(folder.path)).rejects.toThrow('does not say where a daemon listens')
    },
  )
})

describe('a data directory', () => {
  test('is found from any sub-folder, as .cacp or data, and only with a store in it', async () => {
    await using folder = await folderWith({
      '.cacp/IDENT': '',
      'a/data/IDENT': '',
      'a/b/data/': '',
      'c/.cacp/': '',
    })
    expect(await findDataDir(folder.path)).toBe(folder.at('.cacp'))
    expect(await findDataDir(folder.at('a/b'))).toBe(folder.at('a/data'))
    expect(await findDataDir(folder.at('c/not/there'))).toBe(folder.at('.cacp'))
  })
})

describe('the daemon of a data directory', () => {
  const failing = async (cwd: string, options: { dataDir?: string; env?: Record<string, string> } = {}) => {
    const error: unknown = await findDaemon({ env: {}, cwd, ...options }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DataDirError)
    const { message, next } = error as DataDirError
    return { message, next }
  }

  test('is found with its key, also by CACP_DATA', async () => {
    await using folder = await folderWith({ '.cacp/IDENT': '' })
    const dataDir = folder.at('.cacp')
    const key = await ensureOperatorKey(dataDir)
    await rememberEndpoint(dataDir, ENDPOINT)
    const found = { dataDir, endpoint: ENDPOINT, key }
    expect(await findDaemon({ env: {}, cwd: folder.path })).toEqual(found)
    expect(await findDaemon({ env: { CACP_DATA: dataDir }, cwd: '/' })).toEqual(found)
  })

  test('cannot be found without a data directory', async () => {
    await using folder = await folderWith()
    expect(await failing(folder.path)).toEqual({
      message: `No data directory of cacpd in ${folder.path} or any folder above`,
      next: 'Run `cacpd up -d` in the repository, or name the directory with --data DIR or CACP_DATA',
    })
  })

  test('was never started', async () => {
    await using folder = await folderWith()
    expect(await failing(folder.path, { dataDir: 'x' })).toEqual({
      message: `No daemon was ever started with ${folder.at('x')}`,
      next: `Run \`cacpd up -d --data ${folder.at('x')}\` in the repository`,
    })
  })

  test('is not running any more, and whoever has its port now is not sent the key', async () => {
    await using folder = await folderWith({ '.cacp/IDENT': '' })
    await rememberEndpoint(folder.at('.cacp'), { ...ENDPOINT, pid: NO_PROCESS })
    expect(await failing(folder.path)).toEqual({
      message: `The daemon of ${folder.at('.cacp')} is not running (it was process ${NO_PROCESS} at http://127.0.0.1:8080)`,
      next: 'Run `cacpd up -d` in the repository',
    })
  })

  test('is not whatever process has its pid now', async () => {
    await using folder = await folderWith({ '.cacp/IDENT': '' })
    await ensureOperatorKey(folder.at('.cacp'))
    await rememberEndpoint(folder.at('.cacp'), { ...ENDPOINT, processStart: 'long ago' })
    expect((await failing(folder.path)).message).toContain('is not running')
  })

  test('has a key that cannot be used', async () => {
    await using folder = await folderWith({ '.cacp/IDENT': '' })
    await rememberEndpoint(folder.at('.cacp'), ENDPOINT)
    await writeFile(folder.at('.cacp/operator.key'), 'x', { mode: 0o644 })
    expect(await failing(folder.path)).toMatchObject({
      next: 'Remove it and restart the daemon, which then makes a new one',
    })
  })
})

test('nobody waits for a pipe or a device in the place of a file', async () => {
  await using folder = await folderWith()
  await promisify(execFile)('mkfifo', [folder.at('endpoint.json'), folder.at('operator.key')])
  await expect(readEndpoint(folder.path)).rejects.toThrow('endpoint.json cannot be read (EINVAL)')
  await expect(readOperatorKey(folder.path)).rejects.toThrow('cannot be read (EINVAL)')
})
