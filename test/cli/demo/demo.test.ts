import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createNarration, type DemoEvent } from '../../../src/cli/demo/narration.ts'
import { processStart } from '../../../src/io/runner/process-start.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { cacpd } from '../captured-terminal.ts'

const BIN = new URL('../../../bin/cacpd.js', import.meta.url).pathname

/** The built demo, as a user runs it; its temporary folders are made in the given one. */
function demo(place: Folder, ...flags: string[]) {
  const child = spawn(process.execPath, [BIN, 'demo', ...flags], {
    cwd: place.path,
    // A setting of the user's own daemon, which the demo has to leave alone.
    env: { ...process.env, TMPDIR: place.path, CACP_DATA: place.at('mine'), CACP_PORT: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, exited: once(child, 'close'), err: text(child.stderr) }
}

const eventsIn = (out: string): DemoEvent[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DemoEvent)

const of = <Kind extends DemoEvent['event']>(events: readonly DemoEvent[], kind: Kind) =>
  events.filter((event): event is Extract<DemoEvent, { event: Kind }> => event.event === kind)

/** One that has ended and that nobody has collected yet does not run. */
const areRunning = (pids: readonly number[]): Promise<boolean[]> =>
  Promise.all(pids.map(async (pid) => (await processStart(pid)) !== undefined))

/** Reads events until both daemons are there. */
async function untilStarted({ stdout }: ChildProcess): Promise<number[]> {
  const pids: number[] = []
  if (stdout === null) throw new Error('no stdout')
  for await (const line of createInterface(stdout)) {
    const event = JSON.parse(line) as DemoEvent
    if (event.event === 'started') pids.push(event.pid)
    if (pids.length === 2) break
  }
  return pids
}

describe('cacpd demo', () => {
  test('tells how two paired daemons bring a contract to verified, and leaves nothing behind', async () => {
    await using place = await folderWith()
    const { child, exited, err } = demo(place, '--json')
    const events = eventsIn(await text(child.stdout))
    expect(await err).toBe('')
    expect(await exited).toEqual([0, null])

    expect(of(events, 'step').map(({ by, method }) => `${by} ${method}`)).toEqual([
      'backend-api cacp/project/create',
      'backend-api cacp/invite/create',
      'frontend-app cacp/peer/join',
      'backend-api cacp/contract/propose',
      'frontend-app cacp/inbox/list',
      'frontend-app cacp/contract/respond',
      'backend-api cacp/contract/update',
      'frontend-app cacp/contract/respond',
      'frontend-app cacp/context/askQuestion',
      'backend-api cacp/inbox/list',
      'backend-api cacp/context/shareCode',
      'frontend-app cacp/context/recordDecision',
      'backend-api cacp/implementation/start',
      'backend-api cacp/implementation/complete',
      'frontend-app cacp/implementation/start',
      'frontend-app cacp/implementation/complete',
      'frontend-app cacp/implementation/verify',
    ])
    const inboxes = of(events, 'step').filter(({ method }) => method === 'cacp/inbox/list')
    expect(inboxes.map(({ says }) => says)).toEqual([
      'finds in its inbox: answer_contract',
      expect.stringMatching(/^finds in its inbox: .*\banswer_question\b/),
    ])
    expect(of(events, 'arrived')).toHaveLength(11)
    expect(of(events, 'paired')).toEqual([{ event: 'paired', words: expect.stringMatching(/^(\w+ ?){6}$/) }])
    expect(events.at(-1)).toMatchObject({ event: 'finished', contractStatus: 'verified', kept: false })
    // The secret of the invite is nobody's business.
    expect(JSON.stringify(events)).not.toMatch(/pair#[A-Za-z0-9]/)

    expect(await areRunning(of(events, 'started').map(({ pid }) => pid))).toEqual([false, false])
    expect(await readdir(place.path)).toEqual([])
  })

  test('at Ctrl-C ends both daemons and removes all folders', async () => {
    await using place = await folderWith()
    const { child, exited, err } = demo(place, '--json')
    const pids = await untilStarted(child)
    child.kill('SIGINT')
    expect(await exited).toEqual([1, null])
    expect(await areRunning(pids)).toEqual([false, false])
    expect(await readdir(place.path)).toEqual([])
    expect(await err).toBe('')
  })

  test('leaves all running where they are to be kept, with something to do, and says how to end them', async () => {
    await using place = await folderWith()
    const { child, exited } = demo(place, '--fast', '--keep')
    const out = await text(child.stdout)
    const [, pids = '', folder = ''] = /kill (\d+ \d+ \d+) && rm -r (\S+)/.exec(out) ?? []
    const ids = pids.split(' ').map(Number)
    try {
      expect(await exited).toEqual([0, null])
      for (const repo of ['backend-api', 'frontend-app']) {
        const peers = await cacpd(['peers', '--json'], { cwd: join(folder, repo, 'src') })
        expect(peers.exitCode).toBe(0)
      }
      const asked = await cacpd(['call', 'cacp/person/todo', '--json'], { cwd: join(folder, 'backend-api') })
      const { person, agent } = JSON.parse(asked.out)
      expect(person).toMatchObject([{ kind: 'approve_peer', from: { repo: 'mobile-app' } }])
      expect(agent.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
        'answer_contract',
        'answer_question',
        'resolve_conflict',
      ])
      expect(await readFile(join(folder, 'frontend-app/src/api/user.ts'), 'utf8')).toContain(
        '/api/v1/users/me',
      )
    } finally {
      for (const id of ids) process.kill(id, 'SIGTERM')
    }
    await expect.poll(() => areRunning(ids), { timeout: 10_000 }).toEqual([false, false, false])
  })

  test('fits narrow terminals: no line is wider than asked for, unless one word is', () => {
    const tell = createNarration({ colour: true, width: 32 })
    const step = {
      event: 'step',
      by: 'frontend-app',
      says: 'asks for a change: «Please put it under /api/v1»',
      method: 'cacp/contract/respond',
      result: { contractStatus: 'negotiating' },
    } as const
    const told = [
      tell({ event: 'scene', title: 'They pair: one command on each side, and no server between them' }),
      tell(step),
      tell({ event: 'arrived', at: 'backend-api', what: 'it', afterMillis: 12 }),
    ].join('')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
    const lines = told.replaceAll(/\x1b\[\d+m/g, '').split('\n')
    expect(lines.filter((line) => line.length > 32)).toEqual([])
    expect(told).toContain('\x1b[33mnegotiating')
  })
})
