import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { cacpd, type Outcome } from './captured-terminal.ts'

/** Every line that the command line suggests can be pasted. */

const FRONTEND = 'aid://example.com/frontend@1.0.0'

describe('what cacpd suggests', () => {
  let running: TestDaemon
  let cwd: string
  let projectId: string
  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
    ;({ projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos }))
    const asFrontend = { 'x-agent-id': FRONTEND }
    await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, asFrontend)
  })
  afterAll(() => running[Symbol.asyncDispose]())

  const propose = (name: string) =>
    running.rpc('cacp/contract/propose', { projectId, type: 'custom', name, content: { v: 1 } })

  const lineIn = ({ err }: Outcome): string => /^ {2}(cacpd .*)$/m.exec(err)?.[1] ?? expect.fail(err)
  /** As a shell reads it. */
  const wordsOf = (line: string): string[] =>
    [...line.replace(/ {3}#.*$/, '').matchAll(/'([^']*)'|(\S+)/g)].map(([, a, b]) => a ?? b ?? '').slice(1)
  const paste = (line: string) => cacpd(wordsOf(line), { cwd })

  test('a refused call is followed by the one that works, by names and as the same agent', async () => {
    await propose('Profile')
    const start = ['implementation', 'start', '--contract-id', 'Profile', '--agent-id', FRONTEND]
    const refused = await cacpd(start, { cwd })
    expect(refused.exitCode).toBe(1)
    expect(refused.err).toMatch(/^error: Cannot .* contract «Profile»: it is proposed\n/)
    expect(lineIn(refused)).toBe(
      `cacpd contract respond --contract-id Profile --action agree --version 1 --agent-id ${FRONTEND}`,
    )
    expect(await paste(lineIn(refused))).toMatchObject({ exitCode: 0, err: '' })
    expect(await cacpd(start, { cwd })).toMatchObject({ exitCode: 0 })
  })

  test('a contract that is not there is missed in a project by its name', async () => {
    const missed = await cacpd(['contract', 'get', 'Nowhere'], { cwd })
    expect(missed.err).toMatch(/^error: No contract Nowhere in project «Login»\n/)
    expect(lineIn(missed)).toBe('cacpd contract list')
  })

  test('a contract that was taken back is refused by its name', async () => {
    const { contractId } = await propose('Basket')
    await running.rpc('cacp/contract/withdraw', { projectId, contractId })
    const agree = ['contract', 'respond', 'Basket', '--action', 'agree', '--agent-id', FRONTEND]
    expect((await cacpd(agree, { cwd })).err).toMatch(
      /^error: Cannot answer contract «Basket»: it is withdrawn\n/,
    )
  })

  test('what is to be written is marked, and refused until it is written', async () => {
    await propose('Session')
    const refused = await cacpd(['contract', 'respond', '--contract-id', 'Session', '--action', 'agree'], {
      cwd,
    })
    expect(lineIn(refused)).toMatch(/^cacpd contract update .* --version 1 {3}# yours: content$/)
    const pasted = await paste(lineIn(refused))
    expect(pasted).toMatchObject({ exitCode: 2, out: '' })
    expect(pasted.err).toMatch(
      /^error: .*content: … stands there for your own text\nnext: Put your own text there/,
    )
    const own = lineIn(refused).replace(/--content '[^']*'/, `--content '{"v":2}'`)
    expect((await paste(own)).out).toContain('version: 2')
  })

  test('the same daemon is asked, wherever that is', async () => {
    await propose('Logout')
    const there = ['--data', running.dataDir]
    const refused = await cacpd([
      'contract',
      'resolve',
      '--contract-id',
      'Logout',
      '--keep',
      'winner',
      ...there,
    ])
    expect(lineIn(refused)).toMatch(/^cacpd contract get .* --data \S+$/)
    expect(await cacpd(wordsOf(lineIn(refused)))).toMatchObject({ exitCode: 0 })
    const inbox = await cacpd(['inbox', '--agent-id', FRONTEND, ...there])
    expect(inbox.out).toContain(`--agent-id ${FRONTEND} --data ${running.dataDir}   # yours: action`)
  })

  test('what has to be waited for is waited for', async () => {
    await propose('Avatar')
    const refused = await cacpd(['implementation', 'start', '--contract-id', 'Avatar'], { cwd })
    expect(lineIn(refused)).toBe('cacpd contract wait Avatar --or-version-above 1')
    const waiting = paste(`${lineIn(refused)} --timeout 20`)
    await running.rpc(
      'cacp/contract/respond',
      { projectId, contractId: 'Avatar', action: 'agree' },
      { 'x-agent-id': FRONTEND },
    )
    expect(await waiting).toMatchObject({ exitCode: 0, out: expect.stringContaining('name: Avatar\n') })
  })

  test('a name that several go by, or that is no word of a line, is an id; so is what comes from elsewhere', async () => {
    const [one] = [await propose('Twin'), await propose('Twin'), await propose('-C')]
    const refused = await cacpd(
      ['contract', 'resolve', '--contract-id', one.contractId, '--keep', 'winner'],
      {
        cwd,
      },
    )
    expect(lineIn(refused)).toContain(`--contract-id ${one.contractId}`)
    const inbox = await cacpd(['inbox', '--agent-id', FRONTEND], { cwd })
    expect(inbox.out).not.toContain('--contract-id -C')
    const there = await cacpd(['-C', cwd, 'inbox', '--agent-id', FRONTEND])
    expect(there.out).toContain(`  cacpd -C ${cwd} contract respond `)
  })

  test('a change that another repository suggests, and a question, have their short commands in the inbox', async () => {
    const { contractId } = await propose('List Shoes')
    const asFrontend = { 'x-agent-id': FRONTEND }
    const change = { projectId, contractId, action: 'request_change', suggestedChange: { v: 7 } }
    await running.rpc('cacp/contract/respond', change, asFrontend)
    await running.rpc('cacp/context/askQuestion', { projectId, question: 'Which port?' }, asFrontend)
    const { out } = await cacpd(['inbox'], { cwd })
    expect(out).toContain("  cacpd contract accept 'List Shoes'   # accepts that\n")
    expect(out).toContain("  cacpd answer 'Which port?' '…'   # yours: the answer\n")
    expect(out).not.toContain('--project-id')
    expect(await paste("cacpd contract accept 'List Shoes'")).toMatchObject({ exitCode: 0 })
    expect(await paste("cacpd answer 'Which port?' 8080")).toMatchObject({ exitCode: 0 })
    const asked = await cacpd(['inbox', '--agent-id', FRONTEND], { cwd })
    const line = `cacpd answer 'Which port?' '…' --decide --rationale '…' --agent-id ${FRONTEND}`
    expect(asked.out).toContain(`  ${line}   # yours: the answer, rationale\n`)
    expect(await paste(line)).toMatchObject({ exitCode: 2 })
    expect(await paste(line.replaceAll("'…'", '8080'))).toMatchObject({ exitCode: 0 })
    expect((await cacpd(['inbox', '--agent-id', FRONTEND], { cwd })).out).not.toContain('accept_answer')
  })

  test('a change that is not agreed to can be dropped by a line of the inbox', async () => {
    const { contractId } = await propose('Invoice')
    const respond = (action: string) =>
      running.rpc('cacp/contract/respond', { projectId, contractId, action }, { 'x-agent-id': FRONTEND })
    await respond('agree')
    await running.rpc('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
    await respond('reject')
    const { out } = await cacpd(['inbox'], { cwd })
    const [, line] = /^ {2}(cacpd .*Invoice.*) {3}# drops the change$/m.exec(out) ?? expect.fail(out)
    expect(out).not.toContain('{"restore"')
    expect(await paste(line ?? '')).toMatchObject({ exitCode: 0, out: expect.stringContaining('version: 3') })
  })

  test('a project that is neither the current nor the only one is named', async () => {
    const { projectId: other } = await running.rpc('cacp/project/create', { name: 'My Shop', objective: '' })
    await cacpd(['use', 'Login'], { cwd })
    const contract = { projectId: other, type: 'custom', name: 'Cart', content: {} }
    await running.rpc('cacp/contract/propose', contract)
    const { out } = await cacpd(['inbox'], { cwd })
    expect(out).toContain("cacpd contract respond --project-id 'My Shop' --contract-id Cart --action agree")
    await running.rpc('cacp/project/archive', { projectId: other })
  })

  test('a program is told the call, and no line', async () => {
    await propose('Token')
    const { out, err } = await cacpd(['implementation', 'start', '--contract-id', 'Token', '--json'], { cwd })
    expect(err).toBe('')
    expect(JSON.parse(out)).toMatchObject({ error: { data: { call: { method: 'cacp/wait' } } } })
  })
})
