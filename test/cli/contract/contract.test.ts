import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }
const MOBILE = { 'x-agent-id': 'aid://example.com/mobile@1.0.0' }

describe('the commands on contracts', () => {
  let running: TestDaemon
  let cwd: string
  let projectId: string

  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = ['backend-api', 'frontend-app', 'mobile-app'].map((name) => ({ name }))
    ;({ projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos }))
    await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
    await running.rpc('cacp/project/join', { projectId, repoName: 'mobile-app' }, MOBILE)
  })
  afterAll(() => running[Symbol.asyncDispose]())

  async function proposed(name: string): Promise<string> {
    const params = { projectId, type: 'custom', name, content: { path: '/me', old: 1 } }
    const { contractId } = await running.rpc('cacp/contract/propose', params)
    return contractId
  }

  const suggest = (contractId: string, suggestedChange: object, comment: string, as: object) =>
    running.rpc(
      'cacp/contract/respond',
      { projectId, contractId, action: 'request_change', comment, suggestedChange },
      as as Record<string, string>,
    )

  test('propose prints who its parties are', async () => {
    const words = ['--type', 'custom', '--name', 'Parties', '--content', '{}']
    const { out } = await cacpd(['contract', 'propose', '--project-id', projectId, ...words], { cwd })
    expect(out).toContain('parties: backend-api, frontend-app, mobile-app')
  })

  test('propose reads content from a file of YAML', async () => {
    await writeFile(join(cwd, 'me.yaml'), 'method: GET\npath: /me\nresponse: {id: uuid}\n')
    const words = ['contract', 'propose', '--project-id', projectId, '--type', 'api_endpoint']
    const given = ['--name', 'In YAML', '--content', '@me.yaml', '--json']
    const { contractId } = JSON.parse((await cacpd([...words, ...given], { cwd })).out)
    const { content } = await running.rpc('cacp/contract/get', { projectId, contractId })
    expect(content).toEqual({ method: 'GET', path: '/me', response: { id: 'uuid' } })
    await writeFile(join(cwd, 'wrong.yml'), 'method: [GET')
    expect(await cacpd([...words, '--name', 'No', '--content', '@wrong.yml'], { cwd })).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^error: --content: the file wrong\.yml is neither JSON nor YAML: /),
    })
  })

  test('accept makes the only suggestion the next version, by the name of the contract', async () => {
    const contractId = await proposed('Profile')
    const none = await cacpd(['contract', 'accept', 'Profile'], { cwd })
    expect(none.exitCode).toBe(1)
    expect(none.err).toMatch(
      /^error: Nobody suggests a change of Profile .*\nnext: .* contract history Profile\n/,
    )
    await suggest(contractId, { path: '/api/me' }, 'move it', FRONTEND)
    expect(
      await cacpd(['contract', 'get', '--project-id', projectId, '--contract-id', contractId], { cwd }),
    ).toMatchObject({
      out: expect.stringMatching(
        /suggestions:\n +number +repo +suggested +comment +acceptable\n.*\{"path":"\/api\/me"\} +move it/,
      ),
    })
    expect((await cacpd(['contract', 'accept', 'Profile'], { cwd })).out).toMatch(/version: 2\n/)
    const { content } = await running.rpc('cacp/contract/get', { projectId, contractId })
    expect(content).toEqual({ path: '/api/me' })
  })

  test('respond tells first how the contract stands, then what this repo said; history calls it proposed', async () => {
    await proposed('Cart')
    const words = ['--project-id', projectId, '--contract-id', 'Cart', '--action', 'agree']
    const { out, err } = await cacpd(
      ['contract', 'respond', ...words, '--agent-id', FRONTEND['x-agent-id']],
      { cwd },
    )
    expect(err).toBe('')
    expect(out).toMatch(/^contractStatus: (?:proposed|negotiating)\nyours: agreed\n/)
    expect((await cacpd(['contract', 'history', 'Cart'], { cwd })).out).toMatch(/^version 1 .*, proposed\n/)
  })

  test('a method that there is none of is a wrong command line', async () => {
    expect(await cacpd(['call', 'cacp/foo', '{}'], { cwd })).toMatchObject({ exitCode: 2 })
  })

  test('of several suggestions accept wants one chosen, and lists them', async () => {
    const contractId = await proposed('Avatar')
    await suggest(contractId, { path: '/a' }, 'shorter', FRONTEND)
    await suggest(contractId, { path: '/b' }, 'other', MOBILE)
    const { exitCode, err } = await cacpd(['contract', 'accept', 'Avatar'], { cwd })
    expect(exitCode).toBe(2)
    expect(err).toContain(
      'Choose one with --suggestion: 1: frontend-app shorter: {"path":"/a"}; 2: mobile-app other: {"path":"/b"}',
    )
    expect((await cacpd(['contract', 'accept', 'Avatar', '--suggestion', '3'], { cwd })).err).toContain(
      'there is no 3',
    )
    await cacpd(['contract', 'accept', 'Avatar', '--suggestion', '2'], { cwd })
    const { content } = await running.rpc('cacp/contract/get', { projectId, contractId })
    expect(content).toEqual({ path: '/b' })
  })

  test('diff and history show what is in force, what is proposed, and who said what', async () => {
    const contractId = await proposed('Token')
    for (const as of [FRONTEND, MOBILE])
      await running.rpc(
        'cacp/contract/respond',
        { projectId, contractId, action: 'agree', comment: 'fine' },
        as,
      )
    const content = { path: '/token', scope: ['a'] }
    await running.rpc('cacp/contract/update', { projectId, contractId, content, changeNote: 'scopes' })
    const { out } = await cacpd(['contract', 'diff', 'Token'], { cwd })
    expect(out.split('\n')).toEqual([
      'Token: version 1 (in force, by backend-api) → version 2 (proposed, by backend-api)',
      'unknown: 3 changes against version 1 (opaque, not understood: it is in no form that is known)',
      'what was written differently:',
      '- old: 1',
      '~ path: "/me" → "/token"',
      '+ scope: ["a"]',
      '',
    ])
    expect((await cacpd(['contract', 'diff', 'Token', '2', '1'], { cwd })).out).toContain('+ old: 1')
    expect((await cacpd(['contract', 'diff', 'Token', 'x'], { cwd })).exitCode).toBe(2)
    const history = (await cacpd(['contract', 'history', 'Token'], { cwd })).out
    expect(history).toMatch(
      /^version 1 by backend-api, \d+ s ago, in force\n {2}frontend-app: agree: fine\n {2}mobile-app: agree: fine\nversion 2 by backend-api, \d+ s ago, proposed: scopes\n$/,
    )
  })

  test('ready lists what can be built', async () => {
    const contractId = await proposed('Base')
    for (const as of [FRONTEND, MOBILE])
      await running.rpc('cacp/contract/respond', { projectId, contractId, action: 'agree' }, as)
    const words = ['--type', 'custom', '--name', 'On top', '--content', '{}', '--depends-on', 'Base']
    await cacpd(['contract', 'propose', '--project-id', projectId, ...words], { cwd })
    const { out } = await cacpd(['contract', 'ready', '--project-id', projectId, '--json'], { cwd })
    const names = (JSON.parse(out) as { contracts: { name: string }[] }).contracts.map(({ name }) => name)
    expect(names).toContain('Base')
    expect(names).not.toContain('On top')
  })

  test('diff, history and inbox show which repositories become parties, and history who was blamed', async () => {
    const params = { projectId, type: 'custom', name: 'Sessions', content: { v: 1 } }
    const parties = ['backend-api', 'frontend-app']
    const { contractId } = await running.rpc('cacp/contract/propose', { ...params, parties })
    const ids = { projectId, contractId }
    await running.rpc('cacp/contract/respond', { ...ids, action: 'agree' }, FRONTEND)
    for (const as of [{}, FRONTEND]) {
      await running.rpc('cacp/implementation/start', ids, as)
      await running.rpc('cacp/implementation/complete', { ...ids, files: [] }, as)
    }
    const failed = { ...ids, result: 'failure', notes: 'no cookie', blames: ['backend-api'] }
    await running.rpc('cacp/implementation/verify', failed, FRONTEND)
    const shown = await cacpd(['contract', 'get', '--project-id', projectId, '--contract-id', contractId], {
      cwd,
    })
    expect(shown.out).toMatch(/result +blames.*\n +frontend-app +failure +backend-api/)
    await running.rpc('cacp/contract/update', { ...ids, addParties: ['mobile-app'] })
    const { out } = await cacpd(['contract', 'diff', 'Sessions'], { cwd })
    expect(out).toContain('+ party mobile-app')
    expect(out).not.toContain('no difference')
    const history = (await cacpd(['contract', 'history', 'Sessions'], { cwd })).out
    expect(history).toContain('frontend-app: verification: failure, blames backend-api: no cookie')
    expect(history).toMatch(/version 2 .*; parties: \+mobile-app/)
    const asked = await cacpd(['inbox', '--agent-id', FRONTEND['x-agent-id']], { cwd })
    expect(asked.out).toContain('changes of version 1: parties +mobile-app')
  })

  test('a contract that is nowhere is told so', async () => {
    expect((await cacpd(['contract', 'history', 'Nowhere'], { cwd })).err).toContain(
      'No contract Nowhere in project',
    )
  })
})
