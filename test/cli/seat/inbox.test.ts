import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = 'aid://example.com/frontend@1.0.0'

describe('cacpd inbox', () => {
  let running: TestDaemon
  let cwd: string
  let projectId: string
  let contractId: string

  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
    ;({ projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos }))
    const asFrontend = { 'x-agent-id': FRONTEND }
    await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, asFrontend)
    const contract = { projectId, type: 'custom', name: 'Profile', content: { path: '/me' } }
    ;({ contractId } = await running.rpc('cacp/contract/propose', contract, asFrontend))
    await running.rpc('cacp/context/askQuestion', { projectId, question: "Who's there?\u001b[31m" })
  })
  afterAll(() => running[Symbol.asyncDispose]())

  test('shows what to do, why, since when and by which command, and whom it waits for', async () => {
    const { exitCode, out, err } = await cacpd(['inbox'], { cwd })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    const [kind, why, where, next, ...rest] = out.split('\n')
    expect(kind).toBe('answer_contract Profile (version 1)')
    expect(why).toBe(
      '  «frontend-app» proposed version 1 and needs an answer: agree, request_change or reject',
    )
    expect(where).toMatch(/^ {2}in Login, since \d+ s ago, [\da-f]{8}-[\da-f]{4}$/)
    expect(next).toBe(
      '  cacpd contract respond --contract-id Profile --action agree --version 1   # yours: action',
    )
    expect(rest.join('\n')).toMatch(
      /^\nwaiting for:\n {2}Who's there\?\\x1b\[31m: any other repository to answer it \(since \d+ s ago\)\n$/,
    )
  })

  test('counts what there is to do, where nothing of it is to be shown', async () => {
    expect(await cacpd(['inbox', '--limit', '0'], { cwd })).toEqual({
      exitCode: 0,
      out: '1 to do\n',
      err: '',
    })
  })

  test('speaks to another agent of the same daemon of what it has to do, with commands that act as it', async () => {
    const { out } = await cacpd(['inbox', '--agent-id', FRONTEND], { cwd })
    expect(out).toContain("answer_question Who's there?\\x1b[31m")
    expect(out).toContain(`--agent-id ${FRONTEND}   # yours: the answer`)
    expect(out).not.toContain('answer_contract')
  })

  test('takes an item for this shell, which is told to another one', async () => {
    const item = `answer_contract:${projectId}:${contractId}`
    const { out } = await cacpd(['inbox', 'take', item, '--minutes', '5'], { cwd })
    expect(out).toMatch(/status: taken\nby: .+ in shell \d+\nuntil: 2/)
    expect((await cacpd(['inbox'], { cwd })).out).toMatch(
      /\n {2}taken by .+ in shell \d+ \(ends in \d min\)\n/,
    )
    const other = await cacpd(['inbox', 'take', item, '--session', 'another one'], { cwd })
    expect(other.exitCode).toBe(1)
    expect(other.err).toContain('has taken this item until')
  })

  test('takes it as the session of the coding agent that runs the command, whatever shell that uses', async () => {
    const { contractId: other } = await running.rpc(
      'cacp/contract/propose',
      { projectId, type: 'custom', name: 'Sessions', content: {} },
      { 'x-agent-id': FRONTEND },
    )
    const take = (env: Record<string, string>) => cacpd(['inbox', 'take', other], { cwd, env })
    const { out } = await take({ CLAUDE_CODE_SESSION_ID: '4721a313-bd20-426e-b9c5-24ebcb598a52' })
    expect(out).toContain('by: Claude Code session 24ebcb598a52\n')
    const refused = await take({ CLAUDE_CODE_SESSION_ID: '736848ea-e359-4f8c-9e44-7f2dea2ad9b1' })
    expect(refused.exitCode).toBe(1)
    expect(refused.err).toContain('Claude Code session 24ebcb598a52 has taken this item until')
    expect(refused.err).toContain(
      `cacpd inbox take --item-id answer_contract:${projectId}:${other} --session "Claude Code session 24ebcb598a52"`,
    )
    await running.rpc('cacp/contract/withdraw', { projectId, contractId: other }, { 'x-agent-id': FRONTEND })
  })

  test('hides an item, shows it on demand, and again', async () => {
    const item = `answer_contract:${projectId}:${contractId}`
    expect((await cacpd(['inbox', 'ack', item], { cwd })).out).toContain('status: hidden')
    await running.restart()
    expect((await cacpd(['inbox'], { cwd })).out).toMatch(/^nothing to do\n/)
    expect((await cacpd(['inbox', '--include-acked'], { cwd })).out).toContain(
      `, hidden, ${contractId.slice(0, 13)}\n`,
    )
    expect((await cacpd(['inbox', 'ack', item, '--undo'], { cwd })).out).toContain('status: shown')
    expect((await cacpd(['inbox'], { cwd })).out).toMatch(/^answer_contract /)
  })

  test('is JSON where asked', async () => {
    const { out } = await cacpd(['inbox', '--json', '--limit', '1'], { cwd })
    expect(JSON.parse(out)).toMatchObject({ count: 1, items: [{ kind: 'answer_contract' }] })
  })

  test.each([
    { words: ['--limit', '201'], exitCode: 2, says: /--limit/ },
    { words: ['ack'], exitCode: 2, says: /ITEM is missing: its ID/ },
    { words: ['ack', 'a', '--item-id', 'b'], exitCode: 2, says: /Name one item, not two/ },
    { words: ['ack', 'nonsense'], exitCode: 1, says: /no such item.*\n.*cacpd inbox list/ },
  ])('refuses $words', async ({ words, exitCode, says }) => {
    const refused = await cacpd(['inbox', ...words], { cwd })
    expect(refused.exitCode).toBe(exitCode)
    expect(refused.err).toMatch(says)
  })
})
