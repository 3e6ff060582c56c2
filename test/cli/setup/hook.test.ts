import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { hook } from '../../../src/cli/setup/hook.ts'
import { ensureOperatorKey, rememberEndpoint } from '../../../src/io/place/data-dir.ts'
import { processStart } from '../../../src/io/runner/process-start.ts'
import type { Item } from '../../../src/setup/hooks/rules.ts'
import { folderWith } from '../../support/folders/folder.ts'

const BIN = new URL('../../../bin/cacpd.js', import.meta.url).pathname

interface Call {
  readonly id: number
  readonly method: string
  readonly params: { readonly since?: string }
}

const item = (id: string): Item => ({
  id,
  state: '1',
  kind: 'answer_contract',
  projectName: 'User Auth',
  about: { name: 'Get User Profile', version: 1 },
  from: { repo: 'frontend-app' },
})

/** Something that answers like a daemon, from a state that a test can set, in a repository of its own. */
async function likeDaemon() {
  const folder = await folderWith({ '.cacp/IDENT': '', 'src/': '' })
  const dataDir = folder.at('.cacp')
  const state = { seq: 1, text: '', items: [] as Item[], isHanging: false }
  const calls: Call[] = []
  const answerTo = ({ id, method, params }: Call) => {
    const cursor = `store.${state.seq}`
    if (method === 'cacp/inbox/list')
      return { id, result: { items: state.items, waitingFor: [], count: state.items.length, cursor } }
    if (params.since?.startsWith('store.') === false)
      return { id, error: { code: -32000, message: 'stale', data: { kind: 'stale_cursor', cursor } } }
    return { id, result: { text: state.text, cursor, truncated: false } }
  }
  const key = await ensureOperatorKey(dataDir)
  const server = createServer((request, response) => {
    if (state.isHanging) return
    expect(request.headers.authorization).toBe(`Bearer ${key}`)
    json(request).then(
      (batch) => {
        calls.push(...(batch as Call[]))
        response.end(JSON.stringify((batch as Call[]).map(answerTo)))
      },
      () => response.destroy(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await rememberEndpoint(dataDir, {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: process.pid,
    processStart: (await processStart(process.pid)) ?? '',
    agentId: 'aid://example.com/backend@1.0.0',
    repo: 'backend-api',
    startedAt: '2026-11-16T09:00:00.000000Z',
  })

  return {
    folder,
    dataDir,
    state,
    calls,
    /** What a hook prints, as JSON; undefined when it is silent. */
    async ask(words: string, said: unknown = { session_id: 's1' }, patienceMillis = 20_000) {
      let out = ''
      await hook(words.split(' '), {
        cwd: folder.at('src'),
        env: {},
        readInput: async () => (typeof said === 'string' ? said : JSON.stringify(said)),
        print: (output) => {
          out += output
        },
        patienceMillis,
      })
      return out === '' ? undefined : JSON.parse(out)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const told = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
})

describe('cacpd hook', () => {
  test('tells a session how things stand when it begins, and then only what is new', async () => {
    await using daemon = await likeDaemon()
    daemon.state.text = '- you block others'
    expect(await daemon.ask('claude SessionStart')).toEqual(told('SessionStart', '- you block others'))
    expect(await daemon.ask('claude UserPromptSubmit')).toBeUndefined()

    Object.assign(daemon.state, { seq: 2, text: '- you block others\n- a contract changed' })
    expect(await daemon.ask('claude UserPromptSubmit')).toEqual(
      told('UserPromptSubmit', '- you block others\n- a contract changed'),
    )
    daemon.state.text = '- you block others'
    expect(await daemon.ask('claude UserPromptSubmit')).toBeUndefined()
    const asked = daemon.calls.filter(({ method }) => method === 'cacp/brief')
    expect(asked.map(({ params }) => params.since)).toEqual([undefined, 'store.1', 'store.1', 'store.2'])
  })

  test('keeps a cursor for each session of each client', async () => {
    await using daemon = await likeDaemon()
    daemon.state.text = '- news'
    for (const said of [{ session_id: 's1' }, { session_id: 's2' }]) {
      expect(await daemon.ask('claude SessionStart', said)).toBeDefined()
      expect(await daemon.ask('codex UserPromptSubmit', said)).toEqual(told('UserPromptSubmit', '- news'))
      expect(await daemon.ask('codex UserPromptSubmit', said)).toBeUndefined()
    }
    expect(await daemon.ask('cursor sessionStart', { conversation_id: 's1' })).toEqual({
      additional_context: '- news',
    })
    expect(await readdir(join(daemon.dataDir, 'hooks'))).toHaveLength(5)
  })

  test('says all again to a session that was cleared or compacted, and not to one that is resumed', async () => {
    await using daemon = await likeDaemon()
    daemon.state.text = '- standing'
    await daemon.ask('codex SessionStart', { session_id: 's1', source: 'startup' })
    for (const [source, output] of [
      ['resume', undefined],
      ['clear', told('SessionStart', '- standing')],
      ['compact', told('SessionStart', '- standing')],
    ])
      expect(await daemon.ask('codex SessionStart', { session_id: 's1', source })).toEqual(output)
  })

  test('is silent when there is nothing to say', async () => {
    await using daemon = await likeDaemon()
    for (const words of ['claude SessionStart', 'codex UserPromptSubmit', 'claude Stop', 'cursor stop'])
      expect(await daemon.ask(words)).toBeUndefined()
  })

  test('begins again where its cursor is of a store that is gone', async () => {
    await using daemon = await likeDaemon()
    daemon.state.text = '- before'
    await daemon.ask('claude SessionStart')
    const [name = ''] = await readdir(join(daemon.dataDir, 'hooks'))
    const path = join(daemon.dataDir, 'hooks', name)
    const memory = JSON.parse(await readFile(path, 'utf8'))
    await writeFile(path, JSON.stringify({ ...memory, cursor: 'another.9' }))
    daemon.state.text = '- after'
    expect(await daemon.ask('claude UserPromptSubmit')).toEqual(told('UserPromptSubmit', '- after'))
    expect(daemon.calls.at(-2)?.params.since).toBeUndefined()
    expect(await daemon.ask('claude UserPromptSubmit')).toBeUndefined()
    expect(daemon.calls.at(-2)?.params.since).toBe('store.1')
  })

  test('takes a memory that is damaged for none', async () => {
    await using daemon = await likeDaemon()
    daemon.state.text = '- standing'
    await daemon.ask('claude SessionStart')
    const [name = ''] = await readdir(join(daemon.dataDir, 'hooks'))
    for (const damage of [
      '',
      '{"cursor":1}',
      'null',
      '{"cursor":"store.1","told":[],"items":[1],"count":0}',
    ]) {
      await writeFile(join(daemon.dataDir, 'hooks', name), damage)
      expect(await daemon.ask('claude UserPromptSubmit')).toEqual(told('UserPromptSubmit', '- standing'))
    }
  })

  test('forgets the oldest of many sessions', async () => {
    await using daemon = await likeDaemon()
    await daemon.ask('claude SessionStart', { session_id: 'newest' })
    const hooks = join(daemon.dataDir, 'hooks')
    const [newest = ''] = await readdir(hooks)
    for (let number = 0; number < 199; number++) {
      const path = join(hooks, `${String(number).padStart(32, '0')}.json`)
      await writeFile(path, '{}')
      await utimes(path, number, number)
    }
    await daemon.ask('claude SessionStart', { session_id: 'one more' })
    const left = await readdir(hooks)
    expect(left).toHaveLength(151)
    expect(left).toContain(newest)
    expect(left).not.toContain(`${'0'.repeat(32)}.json`)
  })

  test('forgets nothing that is not its own, and remembers nothing in a folder that is a link', async () => {
    await using theirs = await folderWith()
    const names = Array.from({ length: 250 }, (_, number) => `photo-${number}.jpg`)
    for (const name of names) await writeFile(theirs.at(name), '')
    await using daemon = await likeDaemon()
    await symlink(theirs.path, join(daemon.dataDir, 'hooks'))
    daemon.state.text = '- news'
    expect(await daemon.ask('claude SessionStart')).toBeUndefined()
    expect((await readdir(theirs.path)).toSorted()).toEqual(names.toSorted())
  })

  test('that ran out of time does not take for told what it did not tell', async () => {
    await using daemon = await likeDaemon()
    daemon.state.text = '- news'
    const sessions = Array.from({ length: 100 }, (_, number) => `s${number}`)
    const outputs: unknown[] = []
    for (const [number, session_id] of sessions.entries())
      outputs.push(await daemon.ask('claude SessionStart', { session_id }, 1 + (number % 10)))
    const isTold = outputs.filter((output) => output !== undefined)
    const remembered = await readdir(join(daemon.dataDir, 'hooks')).catch(() => [])
    expect(remembered).toHaveLength(isTold.length)
  })

  test.each(['', 'rubbish', '[]', '{"session_id":7}', '{"session_id":'])(
    'cannot tell who says %j from others: it tells how things stand at the start, and nothing after',
    async (said) => {
      await using daemon = await likeDaemon()
      Object.assign(daemon.state, { text: '- standing', items: [item('a')] })
      expect(await daemon.ask('claude SessionStart', said)).toEqual(told('SessionStart', '- standing'))
      expect(await daemon.ask('claude UserPromptSubmit', said)).toBeUndefined()
      expect(await daemon.ask('claude Stop', said)).toBeUndefined()
    },
  )
})

describe('cacpd hook at the end of a turn', () => {
  test.each([
    ['claude', 'SessionStart', 'Stop', 'reason'],
    ['codex', 'SessionStart', 'Stop', 'reason'],
    ['cursor', 'sessionStart', 'stop', 'followup_message'],
  ])('has %s go on for what came into the inbox since, once', async (client, start, stop, field) => {
    await using daemon = await likeDaemon()
    daemon.state.items = [item('a')]
    await daemon.ask(`${client} ${start}`)
    expect(await daemon.ask(`${client} ${stop}`)).toBeUndefined()

    daemon.state.items = [item('a'), item('b')]
    const output = await daemon.ask(`${client} ${stop}`)
    expect(output[field]).toMatch(/^One item has come into this repository's cacpd inbox/)
    expect(output.decision).toBe(client === 'cursor' ? undefined : 'block')
    expect(await daemon.ask(`${client} ${stop}`)).toBeUndefined()
  })

  test.each([
    ['claude Stop', { session_id: 's1', stop_hook_active: true }],
    ['codex Stop', { session_id: 's1', stop_hook_active: true }],
    ['cursor stop', { conversation_id: 's1', loop_count: 1, status: 'completed' }],
    ['cursor stop', { conversation_id: 's1', loop_count: 0, status: 'aborted' }],
  ])('lets %s end that says %j, without asking the daemon', async (words, said) => {
    await using daemon = await likeDaemon()
    await daemon.ask(words.replace('Stop', 'SessionStart').replace('stop', 'sessionStart'), {
      session_id: 's1',
    })
    daemon.state.items = [item('a')]
    const before = daemon.calls.length
    expect(await daemon.ask(words, said)).toBeUndefined()
    expect(daemon.calls).toHaveLength(before)
  })

  test('does not hold up a session that was never told anything', async () => {
    await using daemon = await likeDaemon()
    daemon.state.items = [item('a')]
    expect(await daemon.ask('claude Stop')).toBeUndefined()
    expect(await daemon.ask('claude Stop')).toBeUndefined()
  })
})

describe('cacpd hook as a process', () => {
  async function run(words: readonly string[], cwd: string, input: string | undefined) {
    const began = performance.now()
    const child = spawn(process.execPath, [BIN, 'hook', ...words], {
      cwd,
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const exited = once(child, 'close')
    // Undefined: a client that never closes the pipe.
    if (input !== undefined) child.stdin.end(input)
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await exited
    return { code, out, err, millis: performance.now() - began }
  }

  const SILENT = { code: 0, out: '', err: '' }

  test('prints one line of JSON for its client', async () => {
    await using daemon = await likeDaemon()
    daemon.state.text = '- standing'
    const { out, ...rest } = await run(['claude', 'SessionStart'], daemon.folder.path, '{"session_id":"s1"}')
    expect(rest).toMatchObject({ code: 0, err: '' })
    expect(out).toBe(`${JSON.stringify(told('SessionStart', '- standing'))}\n`)
  })

  test('is silent where no daemon ever ran, and where it is not running', async () => {
    await using folder = await folderWith()
    expect(await run(['claude', 'SessionStart'], folder.path, '{"session_id":"s1"}')).toMatchObject(SILENT)
    await using daemon = await likeDaemon()
    const endpoint = join(daemon.dataDir, 'endpoint.json')
    await writeFile(
      endpoint,
      (await readFile(endpoint, 'utf8')).replace(/"processStart": ".*"/, '"processStart": "x"'),
    )
    expect(await run(['cursor', 'stop'], daemon.folder.path, '{"session_id":"s1"}')).toMatchObject(SILENT)
  })

  test('gives up in silence on a daemon that does not answer, and on a client that does not say anything', async () => {
    await using daemon = await likeDaemon()
    daemon.state.isHanging = true
    const both = await Promise.all([
      run(['claude', 'SessionStart'], daemon.folder.path, '{"session_id":"s1"}'),
      run(['claude', 'SessionStart'], daemon.folder.path, undefined),
    ])
    for (const one of both) {
      expect(one).toMatchObject(SILENT)
      // 1.3 s and the start of node, which takes its time on a busy machine.
      expect(one.millis).toBeLessThan(5000)
    }
  })

  test('is silent in a folder that is gone', async () => {
    await using folder = await folderWith({ 'gone/': '' })
    const leaving = ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath, BIN, 'hook', 'claude', 'Stop']
    const child = spawn('sh', leaving, { cwd: folder.at('gone'), stdio: ['ignore', 'pipe', 'pipe'] })
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect(await said).toEqual(['', '', [0, null]])
  })

  test('never exits with 2, which clients take for an order', async () => {
    await using folder = await folderWith()
    const wrong = [[], ['claude'], ['claude', 'PostToolUse'], ['emacs', 'Stop'], ['claude', 'Stop', 'x']]
    for (const { code, out, err } of await Promise.all(wrong.map((words) => run(words, folder.path, '')))) {
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(/^error: (client|event): .+ `cacpd hook \w+ SessionStart`\n$/)
    }
  })
})
