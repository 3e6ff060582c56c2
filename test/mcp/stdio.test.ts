import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { describe, expect, test } from 'vitest'
import { createDaemonCalls } from '../../src/cli/setup/mcp.ts'
import { endDaemon } from '../../src/io/background/end-daemon.ts'
import { findRunningDaemon } from '../../src/io/background/ensure-daemon.ts'
import { findDaemon } from '../../src/io/place/find-daemon.ts'
import { LAUNCHER } from '../../src/launcher.ts'
import { serveOverStdio } from '../../src/mcp/stdio.ts'
import type { CallMethod } from '../../src/mcp/tool.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { type Agent, agentOver, ERAS, type Era } from '../support/daemons/mcp.ts'
import { folderWith } from '../support/folders/folder.ts'

const nobody: CallMethod = async () => ({})

/** A server at the other end of two pipes. */
function serve(call: CallMethod = nobody) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const complaints: string[] = []
  const ended = serveOverStdio(call, {
    session: 'the only one',
    input,
    output,
    complain: (problem) => complaints.push(problem),
  })
  return { input, output, complaints, ended }
}

/** A client at this end of them; when it leaves, it closes what it writes to. */
async function clientOf({ input, output }: { input: Writable; output: Readable }, era: Era): Promise<Agent> {
  const agent = await agentOver(new StdioServerTransport(output, input), era)
  return {
    ...agent,
    [Symbol.asyncDispose]: async () => {
      await agent[Symbol.asyncDispose]()
      input.end()
    },
  }
}

test('what a client takes from the inbox it takes as its session, unless it gives another name', async () => {
  const taken: unknown[] = []
  const server = serve(async (_method, params) => {
    taken.push(params)
    return {}
  })
  const agent = await clientOf(server, '2026-07-28')
  const take = (more: object) =>
    agent.use('call', { method: 'cacp/inbox/take', params: { itemId: 'i', ...more } })
  await take({})
  await take({ session: 'mine' })
  expect(taken).toEqual([
    { itemId: 'i', session: 'the only one' },
    { itemId: 'i', session: 'mine' },
  ])
  await agent[Symbol.asyncDispose]()
  await server.ended
})

describe('whoever asks to listen', () => {
  test('is told that nobody can, and goes on', async () => {
    const server = serve()
    const agent = await clientOf(server, '2026-07-28')
    await expect(agent.client.listen({ toolsListChanged: true })).rejects.toMatchObject({
      code: -32601,
      message: expect.stringMatching(/subscriptions\/listen is not supported/),
    })
    expect((await agent.client.listTools()).tools).toHaveLength(12)
    await agent[Symbol.asyncDispose]()
    await server.ended
    expect(server.complaints).toEqual([])
  })

  test('is told so also before anything was agreed on', async () => {
    const server = serve()
    server.input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen' })}\n`)
    await server.ended
    server.output.end()
    expect(JSON.parse(await text(server.output))).toMatchObject({ id: 7, error: { code: -32601 } })
  })
})

describe.each(ERAS)('a client of %s over pipes', (era) => {
  test('calls the daemon that runs there, also after it was started anew', async () => {
    await using backend = await daemon()
    await using calls = createDaemonCalls({ find: () => findDaemon({ dataDir: backend.dataDir, env: {} }) })
    const server = serve(calls.call)
    const agent = await clientOf(server, era)
    expect((await agent.client.listTools()).tools).toHaveLength(12)
    await agent.use('project', { action: 'create', name: 'Login', objective: 'o' })
    const params = { name: 'Once', objective: 'o', idempotencyKey: 'mine' }
    const create = () => agent.use('call', { method: 'cacp/project/create', params })
    expect(await create()).toBe(await create())
    await backend.restart()
    expect(await agent.use('project')).toContain('«Login»')
    await agent[Symbol.asyncDispose]()
    await server.ended
    expect(server.complaints).toEqual([])
  })

  test('is told what to do where no daemon is to be had', async () => {
    await using folder = await folderWith()
    await using calls = createDaemonCalls({ find: () => findDaemon({ cwd: folder.path, env: {} }) })
    await using agent = await clientOf(serve(calls.call), era)
    expect(await agent.fail('project')).toMatch(/^No data directory of cacpd .*\nnext: Run `cacpd up -d`/)
  })
})

describe('over pipes', () => {
  test('rubbish is passed over, told on the side, and answered nowhere', async () => {
    const { input, output, complaints, ended } = serve()
    let answered = ''
    output.on('data', (data: Buffer) => {
      answered += data.toString()
    })
    input.write('rubbish\n\n{"a":\n[]\n{"jsonrpc":"2.0"}\n')
    input.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]))
    const clientInfo = { name: 'x', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params })}\n`)
    await expect.poll(() => answered).toMatch(/\n$/)
    input.end()
    await ended
    const lines = answered.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ id: 7 })])
    expect(complaints).toContain('passed over something on stdin that is no message of JSON-RPC')
  })

  test('a message without end ends the connection instead of filling the memory', async () => {
    const { input, complaints, ended } = serve()
    for (let written = 0; written < 12; written++) input.write('x'.repeat(1024 * 1024))
    await ended
    expect(complaints).toEqual([expect.stringMatching(/exceeded maximum size/)])
  })

  test('what is at work when the client leaves is given up', async () => {
    let signal: AbortSignal | undefined
    const server = serve((_method, _params, options) => {
      signal = options?.signal
      return new Promise(() => {})
    })
    const agent = await clientOf(server, '2025-11-25')
    const call = agent.client.callTool({ name: 'project' }).catch(() => 'given up')
    await expect.poll(() => signal?.aborted).toBe(false)
    await agent[Symbol.asyncDispose]()
    await server.ended
    expect(await call).toBe('given up')
    expect(signal?.aborted).toBe(true)
  })
})

describe('`cacpd mcp`', () => {
  test('starts the daemon of its repository from a folder inside, says nothing but messages, ends when its client leaves, and the daemon stays', async () => {
    await using folder = await folderWith({ '.git/': '', 'src/deep/': '' })
    const dataDir = folder.at('.cacp')
    await using _daemon = { [Symbol.asyncDispose]: async () => void (await endDaemon(dataDir)) }
    const { PATH } = process.env
    const child = spawn(process.execPath, [LAUNCHER, 'mcp'], {
      cwd: folder.at('src/deep'),
      env: { PATH, HOME: '/nowhere', CACP_PORT: '0' },
    })
    const complaints = text(child.stderr)
    const agent = await clientOf({ input: child.stdin, output: child.stdout }, '2025-11-25')
    const problems: unknown[] = []
    agent.client.onerror = (error) => problems.push(error)
    expect(await findRunningDaemon(dataDir)).toBeUndefined()
    expect(await agent.use('project')).toMatch(/^No projects yet/)
    const exited = once(child, 'exit')
    await agent[Symbol.asyncDispose]()
    expect(await exited).toEqual([0, null])
    expect({ problems, complaints: await complaints }).toEqual({ problems: [], complaints: '' })
    expect(await findRunningDaemon(dataDir)).toMatchObject({ dataDir })
  }, 60_000)
})
