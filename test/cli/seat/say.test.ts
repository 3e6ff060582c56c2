import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const AGENT = 'aid://example.com/frontend@1.0.0'
const FRONTEND = { 'x-agent-id': AGENT }

let running: TestDaemon
let cwd: string
let projectId: string
beforeAll(async () => {
  running = await daemon()
  cwd = dirname(running.dataDir)
  const repos = ['backend-api', 'frontend-app', 'mobile-app'].map((name) => ({ name }))
  ;({ projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos }))
  await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
  await running.rpc('cacp/contract/propose', { projectId, type: 'custom', name: 'Profile', content: {} })
})
afterAll(() => running[Symbol.asyncDispose]())

const packet = async (packetId: string) =>
  (await running.rpc('cacp/context/getThread', { projectId, packetId })).thread.find(
    (one: { packet_id: string }) => one.packet_id === packetId,
  )

async function idOf(words: readonly string[]): Promise<string> {
  const { exitCode, out, err } = await cacpd([...words, '--json'], { cwd })
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  return JSON.parse(out).packetId
}

const ask = async (question: string, headers = FRONTEND): Promise<string> =>
  (await running.rpc('cacp/context/askQuestion', { projectId, question }, headers)).packetId

describe('cacpd say', () => {
  test('tells the others something in plain words', async () => {
    const first = await idOf(['say', 'Staging', 'is', 'back'])
    expect(await packet(first)).toMatchObject({
      type: 'dependency_info',
      content: { message: 'Staging is back' },
    })
    const words = [
      'say',
      'Try again',
      '--to',
      'frontend-app',
      '--reply-to',
      first.slice(0, 18),
      '--contract',
      'Profile',
    ]
    expect(await packet(await idOf([...words, '--project', 'Login']))).toMatchObject({
      content: { message: 'Try again', to: ['frontend-app'] },
      reply_to: first,
      related_contracts: [expect.any(String)],
    })
  })

  test('is told to whom it is for by its next brief, and to nobody else', async () => {
    const brief = async (...more: string[]) =>
      JSON.parse((await cacpd(['brief', '--json', ...more], { cwd })).out) as { text: string; cursor: string }
    const { cursor } = await brief('--agent-id', AGENT)
    await idOf(['say', 'Only for you', '--to', 'frontend-app'])
    await idOf(['say', 'Not for you', '--to', 'mobile-app'])
    await idOf(['say', 'For all'])
    const { text } = await brief('--agent-id', AGENT, '--since', cursor)
    expect(text).toMatch(/\nTo read \(\d\):\n(?:- .*\n)*- .* said to you «Only for you»/)
    expect(text).toMatch(/\nMessages \(1\):\n- «backend-api» \(\w+\) said «For all»/)
    expect(text).not.toContain('Not for you')
    expect((await brief('--since', cursor)).text).not.toContain('Messages')
  })

  test('is in the inbox of whom it is for, with the command that ends it there', async () => {
    await idOf(['say', 'Read me', '--to', 'frontend-app'])
    const inbox = async () => (await cacpd(['inbox', '--agent-id', AGENT], { cwd })).out
    const shown = await inbox()
    expect(shown).toMatch(/^read_message Read me\n {2}«backend-api» said this to this repo/m)
    expect(shown).toContain(`\n  cacpd inbox ack 'Read me' --agent-id ${AGENT}\n`)
    const acked = await cacpd(['inbox', 'ack', 'Read me', '--agent-id', AGENT], { cwd })
    expect(acked).toMatchObject({ exitCode: 0, err: '' })
    expect(await inbox()).not.toContain('Read me')
  })

  test('is replied to by what it says, as the inbox tells', async () => {
    const message = await idOf(['say', 'Please try Order', '--to', 'frontend-app'])
    const inbox = async () => (await cacpd(['inbox', '--agent-id', AGENT], { cwd })).out
    expect(await inbox()).toContain(
      `\n  cacpd say '…' --reply-to 'Please try Order' --agent-id ${AGENT}   # yours: the reply\n`,
    )
    const reply = await idOf(['say', 'Works', '--reply-to', 'Please try Order', '--agent-id', AGENT])
    expect(await packet(reply)).toMatchObject({ content: { message: 'Works' }, reply_to: message })
    expect(await inbox()).not.toContain('Please try Order')
  })

  test('is among the items that a shell completes', async () => {
    const message = { projectId, type: 'dependency_info', content: { message: 'Hi' }, to: ['backend-api'] }
    await running.rpc('cacp/context/share', message, FRONTEND)
    const { out } = await cacpd(['complete', '--', 'cacpd', 'inbox', 'ack', ''], { cwd })
    expect(out.split('\n')).toContain('Hi')
    expect(await cacpd(['inbox', 'ack', 'Hi'], { cwd })).toMatchObject({ exitCode: 0, err: '' })
  })

  test.each([
    {
      words: ['hello', '--to', 'front-app'],
      says: /to: project \S+ has no repo named front-app[\s\S]*frontend-app/,
      code: 1,
    },
    { words: ['hello', '--reply-to', 'nothing'], says: /nothing/, code: 1 },
    { words: [' '], says: /TEXT: must not be empty/, code: 2 },
    { words: [], says: /missing required argument/, code: 2 },
  ])('refuses $words', async ({ words, says, code }) => {
    const { exitCode, err } = await cacpd(['say', ...words], { cwd })
    expect(err).toMatch(says)
    expect(exitCode).toBe(code)
  })
})

describe('cacpd answer', () => {
  test('answers a question by the beginning of its id, and hands the word back to who asked', async () => {
    const question = await ask('How long do tokens live?')
    const answered = await packet(await idOf(['answer', question.slice(0, 18), 'An', 'hour']))
    expect(answered).toMatchObject({
      type: 'dependency_info',
      reply_to: question,
      content: { answer: 'An hour' },
    })
    const { items } = await running.rpc('cacp/inbox/list', {}, FRONTEND)
    expect(items).toContainEqual(expect.objectContaining({ kind: 'accept_answer' }))
  })

  test('decides a question by what it asks, which closes it', async () => {
    const question = await ask('JWT or cookies?')
    const words = ['answer', 'JWT or cookies?', 'JWT', '--decide', '--rationale', 'No session']
    expect(await packet(await idOf(words))).toMatchObject({
      type: 'decision',
      reply_to: question,
      content: { decision: 'JWT or cookies?', chosen: 'JWT', rationale: 'No session' },
    })
    expect(
      (await cacpd(['wait', 'question', '--packet', question, '--timeout', '1'], { cwd })).exitCode,
    ).toBe(0)
  })

  test('a question that is decided goes by what it asks, in every command', async () => {
    const question = await ask('Which port?')
    await idOf(['answer', 'Which port?', '80', '--decide'])
    const other = await idOf(['answer', 'Which port?', '443', '--decide', '--agent-id', AGENT])
    expect(await packet(other)).toMatchObject({ type: 'decision', reply_to: question })
    expect(await packet(await idOf(['say', 'Both?', '--reply-to', 'Which port?']))).toMatchObject({
      reply_to: question,
    })
    const run = (...words: string[]) => cacpd(words, { cwd })
    expect(await run('wait', 'question', '--packet', 'Which port?', '--timeout', '1')).toMatchObject({
      exitCode: 0,
    })
    expect((await run('context', 'get-thread', '--packet-id', 'Which port?')).out).toContain('443')
    expect(await run('context', 'get-thread', '--packet-id', 'nonsense')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('No packet nonsense'),
    })
  })

  test('refuses what is no question, and says how to reply to it', async () => {
    const message = await idOf(['say', 'hello'])
    const { exitCode, err } = await cacpd(['answer', message, 'hi'], { cwd })
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: `error: QUESTION: packet ${message} is no question\nnext: To reply to it: cacpd say --reply-to ${message} TEXT\n`,
    })
    expect(await cacpd(['answer', 'nothing', 'hi'], { cwd })).toMatchObject({ exitCode: 1 })
    expect(await cacpd(['answer', message, 'hi', '--rationale', 'so'], { cwd })).toMatchObject({
      exitCode: 2,
    })
  })
})

test('cacpd file list shows the files of the project', async () => {
  const file = { name: 'hello.txt', content: btoa('hello'), contentType: 'text/plain' }
  await running.rpc('cacp/file/share', { projectId, file, purpose: 'a sample' })
  const { exitCode, out } = await cacpd(['file', 'list'], { cwd })
  expect(exitCode).toBe(0)
  expect(out).toMatch(/hello\.txt\s+5\s/)
  expect(out).toContain('backend-api')
})
