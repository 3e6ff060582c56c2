import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { jsonIn } from '../../protocol/json/in.ts'
import type { Command } from '../../setup/recognise.ts'

const ANSWER_MILLIS = 15_000
const MOST_SAID = 500

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'cacpd doctor', version: '1' },
  },
}

/**
 * Starts the MCP server as the settings of coding agents name it, and sends it `initialize`. Returns why it does not
 * work; undefined when it does.
 */
export async function tryMcp(
  { command, args }: Command,
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const child = spawn(command, [...args, 'mcp'], { ...place, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  const closed = once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    said = `it cannot be started (${error.code})`
  })
  child.stderr.on('data', (data: Buffer) => {
    said = `${said}${data}`.slice(-MOST_SAID)
  })
  // It may end before it has read anything.
  child.stdin.on('error', () => {})
  const tooLong = setTimeout(() => child.kill('SIGKILL'), ANSWER_MILLIS)
  try {
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = Object(jsonIn(line)) as { id?: unknown; result?: unknown }
      if (id === INITIALIZE.id && result !== undefined) return undefined
    }
    await closed
    return said.trim() || 'it ended without an answer'
  } finally {
    child.stdin.end()
    await closed
    clearTimeout(tooLong)
  }
}
