import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }

let running: TestDaemon
let root: string
let projectId: string
let contractId: string

beforeAll(async () => {
  running = await daemon()
  root = dirname(running.dataDir)
  const repos = ['backend-api', 'frontend-app'].map((name) => ({ name }))
  projectId = (await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos })).projectId
  await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
  contractId = await agreed('Get User', { id: 'string' })
  await running.rpc('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'Open',
    content: { fields: {} },
  })
})
afterAll(() => running[Symbol.asyncDispose]())

const contentOf = (response: object) => ({ method: 'GET', path: '/users/me', response })

async function agreed(name: string, response: object): Promise<string> {
  const proposal = { projectId, type: 'api_endpoint', name, content: contentOf(response) }
  const made = await running.rpc('cacp/contract/propose', proposal)
  await running.rpc(
    'cacp/contract/respond',
    { projectId, contractId: made.contractId, action: 'agree' },
    FRONTEND,
  )
  return made.contractId
}

const types = (...words: string[]) => cacpd(['types', '--lang', 'ts', ...words], { cwd: root })

describe('cacpd types', () => {
  test('prints the types of what is in force, and of nothing else', async () => {
    const { exitCode, out } = await types()
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      new RegExp(`^// Code generated.*\n// contract: ${contractId}@1#[0-9a-f]{8} Get User\n\n`),
    )
    expect(out).toContain('export interface GetUserResponse200Body {\n  id: string\n}')
    expect(out).not.toContain('Open')
  })

  test('checks a file, also while a change is proposed, and names the contract that moved', async () => {
    expect(await types('-o', 'types.ts', '--check')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/types\.ts cannot be read \(ENOENT\)\nnext: Write them anew/),
    })
    await types('-o', 'types.ts')
    expect(await types('-o', 'types.ts', '--check')).toMatchObject({ exitCode: 0 })
    const target = { projectId, contractId }
    await running.rpc('cacp/contract/update', { ...target, content: contentOf({ id: 'integer' }) })
    expect(await types('-o', 'types.ts', '--check')).toMatchObject({ exitCode: 0 })
    await running.rpc('cacp/contract/respond', { ...target, action: 'agree' }, FRONTEND)
    expect(await types('-o', 'types.ts', '--check')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('error: «Get User» was version 1 and is version 2 now'),
    })
    const { out } = await types('-o', 'types.ts', '--check', '--json')
    expect(JSON.parse(out)).toMatchObject({
      error: { kind: 'stale', data: { reasons: ['«Get User» was version 1 and is version 2 now'] } },
    })
    expect(
      (await cacpd(['types', '--lang', 'go', '-o', 'types.ts', '--check'], { cwd: root })).err,
    ).toContain('was not made by cacpd types --lang go')
  })

  test('never leaves a torn file where two write at once, and nothing beside it', async () => {
    const { out } = await types()
    await writeFile(join(root, 'both.ts'), 'what was there')
    const ends = await Promise.all(Array.from({ length: 8 }, () => types('-o', 'both.ts')))
    expect(ends.map(({ exitCode }) => exitCode)).toEqual(Array(8).fill(0))
    expect(await readFile(join(root, 'both.ts'), 'utf8')).toBe(out)
    expect((await readdir(root)).filter((name) => name.includes('.part'))).toEqual([])
  })

  test('says what is wrong with its options', async () => {
    expect(await types('--check')).toMatchObject({ exitCode: 2, err: expect.stringContaining('--output') })
    expect(await types('--package', 'x')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--lang go'),
    })
    expect(await types('-o', 'no/such/folder/types.ts')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('cannot be written (ENOENT)'),
    })
  })
})
