import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { cacpd } from './captured-terminal.ts'

const FRONTEND = 'aid://example.com/frontend@1.0.0'

let running: TestDaemon
let cwd: string
let projectId: string
let contractId: string
beforeAll(async () => {
  running = await daemon()
  cwd = dirname(running.dataDir)
  const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
  ;({ projectId } = await running.rpc('cacp/project/create', { name: 'User login', objective: 'o', repos }))
  await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, { 'x-agent-id': FRONTEND })
  const contract = { projectId, type: 'custom', name: 'Get profile', content: {} }
  ;({ contractId } = await running.rpc('cacp/contract/propose', contract, { 'x-agent-id': FRONTEND }))
  await running.rpc('cacp/project/create', { name: 'Other', objective: 'o' })
})
afterAll(() => running[Symbol.asyncDispose]())

const say = (...words: string[]) => cacpd(words, { cwd })

describe('on the command line', () => {
  test('a project that is needed and not clear is wrong usage, with what there is and what to do', async () => {
    const { exitCode, err } = await say('contract', 'list')
    expect(exitCode).toBe(2)
    expect(err).toMatch(/projectId required: which of [\da-f-]{36} «Other», [\da-f-]{36} «User login»\?/)
    expect(err).toContain(
      'Name one with --project-id or --project, or choose one for all calls with cacpd use',
    )
  })

  test('`use` chooses a project, shows the choice and clears it', async () => {
    expect(await say('use')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^none: choose one/) })
    expect((await say('use', 'User login')).out).toBe(`User login (${projectId})\n`)
    expect((await say('use', '--json')).out).toBe(
      `${JSON.stringify({ projectId, name: 'User login', isSet: true })}\n`,
    )
    expect((await say('contract', 'list')).out).toContain('Get profile')
    expect((await say('use', '--clear')).out).toMatch(/^none: /)
    expect(await say('use', 'Other', '--clear')).toMatchObject({ exitCode: 2 })
    expect(await say('use', 'Nobody')).toMatchObject({ exitCode: 1 })
    expect((await say('use', projectId.slice(0, 30))).out).toBe(`User login (${projectId})\n`)
  })

  test('whoever gives a contract the name of another one is told so, and how to take it back', async () => {
    const words = ['--project-id', 'User login', '--type', 'custom', '--name', 'Twice', '--content', '{}']
    expect((await say('contract', 'propose', ...words)).out).not.toContain('hint')
    const { exitCode, out } = await say('contract', 'propose', ...words)
    expect(exitCode).toBe(0)
    const [, id = ''] =
      /hint: .* is called «Twice», too .*: cacpd contract withdraw --contract-id (\S+)$/m.exec(out) ??
      expect.fail(out)
    expect(out).toContain(`contractId: ${id}\n`)
  })

  test('what a command is about stands behind it without an option', async () => {
    expect((await say('contract', 'get', 'Get profile', '--project-id', 'User login')).out).toContain(
      contractId,
    )
    expect((await say('project', 'get', 'User login')).out).toContain(projectId)
    expect(await say('contract', 'get', 'Get profle', '--project-id', 'User login')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('Did you mean Get profile?'),
    })
  })

  test('an item of the inbox goes by what it is about', async () => {
    const { items } = await running.rpc('cacp/inbox/list', {})
    const [item] = items as { id: string; about: { name: string } }[]
    const id = item?.id ?? expect.fail('something is to be done')
    for (const word of ['Get profile', contractId, id, id.slice(0, 20)])
      expect(await say('inbox', 'ack', word)).toMatchObject({ exitCode: 0, out: expect.stringContaining(id) })
    expect(await say('inbox', 'ack', 'Nobody knows')).toMatchObject({ exitCode: 1 })
  })

  test('the beginning of an id is found before something is changed, and what is asked for is whole', async () => {
    const given = [
      '--contract-id',
      contractId.slice(0, 20),
      '--action',
      'request_change',
      '--comment',
      'why?',
    ]
    const { exitCode, out } = await say(
      'contract',
      'respond',
      '--project-id',
      projectId.slice(0, 20),
      ...given,
    )
    expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining('negotiating') })
    const short = { projectId, contractId: contractId.slice(0, 20), action: 'agree' }
    await expect(running.rpc('cacp/contract/respond', short)).rejects.toThrow(/No contract/)
  })
})

test('a contract and a project have the same keys wherever they are shown', async () => {
  const [listed] = (await running.rpc('cacp/contract/list', { projectId })).contracts
  const got = await running.rpc('cacp/contract/get', { projectId, contractId })
  for (const one of [listed, got]) expect(one).toMatchObject({ contractId, contract_id: contractId })
  const [first] = (await running.rpc('cacp/project/list', {})).projects
  for (const one of [first, await running.rpc('cacp/project/get', { projectId })])
    expect(one).toMatchObject({ projectId, project_id: projectId })
})
