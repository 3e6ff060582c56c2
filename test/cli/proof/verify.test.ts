import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const NODE = process.execPath

let running: TestDaemon
let cwd: string
beforeAll(async () => {
  running = await daemon()
  cwd = dirname(running.dataDir)
  const repos = [{ name: 'backend-api' }]
  await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
})
afterAll(() => running[Symbol.asyncDispose]())

const verify = (...words: string[]) => cacpd(['verify', ...words], { cwd, env: process.env })

async function implemented(name: string): Promise<string> {
  const content = { method: 'GET', path: `/${name}` }
  const { contractId } = await running.rpc('cacp/contract/propose', { type: 'api_endpoint', name, content })
  await running.rpc('cacp/contract/respond', { contractId, action: 'agree' })
  await running.rpc('cacp/implementation/start', { contractId })
  await running.rpc('cacp/implementation/complete', { contractId, files: [] })
  return contractId
}

const evidenceFor = async (contractId: string) =>
  (await running.rpc('cacp/contract/get', { contractId })).verifications.at(-1)

describe('cacpd verify', () => {
  test('runs nothing where there is nothing to verify', async () => {
    expect(await verify('--', NODE, '-e', 'console.log("ran")')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/nothing to verify.*\n.*can-i-merge/),
    })
  })

  test('says what the command showed, of all that is implemented, and ends as it does', async () => {
    const [one, other] = [await implemented('me'), await implemented('you')]
    const ran = await verify('--', NODE, '-e', 'console.log("3 passed")')
    expect(ran).toMatchObject({ exitCode: 0, err: expect.stringContaining('3 passed') })
    expect(ran.out).toContain('me: verified, contract is verified\n')
    for (const contractId of [one, other])
      expect(await evidenceFor(contractId)).toMatchObject({
        result: 'success',
        grade: 'ran',
        evidence: [{ kind: 'run', repo: 'backend-api', exitCode: 0, output: { tail: '3 passed\n' } }],
      })
  })

  test('of one contract, also where it does not work', async () => {
    const contractId = await implemented('they')
    const ran = await verify('--contract', 'they', '--', NODE, '-e', 'console.error("no"); process.exit(7)')
    expect(ran).toMatchObject({ exitCode: 7, out: 'they: failed, contract is agreed\n' })
    expect(await evidenceFor(contractId)).toMatchObject({
      result: 'failure',
      evidence: [{ exitCode: 7, output: { tail: 'no\n' } }],
    })
  })

  test('keeps the end of what is printed, however much that is', async () => {
    const contractId = await implemented('much')
    const script = 'for (let i = 0; i < 20000; i++) console.log("line " + i + " " + "x".repeat(500))'
    const ran = await verify('--contract', 'much', '--', NODE, '-e', script)
    expect(ran.exitCode).toBe(0)
    const { evidence } = await evidenceFor(contractId)
    expect(evidence[0].output.tail).toHaveLength(2000)
    expect(evidence[0].output.tail).toContain('line 19999 ')
  })

  test('tells a command that cannot be run, and one that is killed, as what they are', async () => {
    await implemented('gone')
    expect(await verify('--contract', 'gone', '--', 'no-such-program')).toMatchObject({
      exitCode: 127,
      err: expect.stringContaining('no-such-program: '),
    })
    await running.rpc('cacp/implementation/complete', { contractId: 'gone', files: [] })
    expect((await verify('--contract', 'gone', '--', NODE, '-e', 'process.kill(process.pid)')).exitCode).toBe(
      143,
    )
  })

  test('wants a command', async () => {
    expect((await verify()).exitCode).toBe(2)
  })
})
