import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import type { TestDaemon } from './daemon.ts'

/** Both protocols that clients of these days speak. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof ERAS)[number]

/** The official client, as a coding agent has it. */
export interface Agent extends AsyncDisposable {
  readonly client: Client
  /** The text of a tool's answer; one that is an error is thrown. */
  use(tool: string, input?: object): Promise<string>
  /** The text of an answer that must be an error. */
  fail(tool: string, input?: object): Promise<string>
}

type Transport = Parameters<Client['connect']>[0]

export async function agentOver(transport: Transport, era: Era): Promise<Agent> {
  const client = new Client(
    { name: 'scripted-agent', version: '1.0.0' },
    era === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: era } } },
  )
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe(era)
  const answerOf = async (name: string, input: object) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...input } })
    expect(content).toHaveLength(1)
    const [part] = content
    if (part?.type !== 'text') throw new Error(`${name} answered ${part?.type}`)
    return { text: part.text, isError }
  }
  return {
    client,
    use: async (tool, input = {}) => {
      const { text, isError } = await answerOf(tool, input)
      if (isError) throw new Error(text)
      return text
    },
    fail: async (tool, input = {}) => {
      const { text, isError } = await answerOf(tool, input)
      expect({ text, isError }).toEqual({ text, isError: true })
      return text
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

export function agentAt(
  { url, key }: TestDaemon,
  era: Era,
  headers: Record<string, string> = {},
): Promise<Agent> {
  const sent = { authorization: `Bearer ${key}`, ...headers }
  return agentOver(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers: sent } }),
    era,
  )
}

const BIN = new URL('../../../bin/cacpd.js', import.meta.url).pathname

export interface StdioOptions {
  readonly cwd: string
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The built `cacpd mcp` as a process, the way a coding agent starts it. */
export function mcpProcess({ cwd, words = [], env = {} }: StdioOptions): StdioClientTransport {
  const { PATH = '' } = process.env
  const args = [BIN, 'mcp', ...words]
  return new StdioClientTransport({
    command: process.execPath,
    args,
    cwd,
    env: { PATH, HOME: '/nowhere', CACP_DATA: '', CACP_PORT: '0', ...env },
    stderr: 'pipe',
  })
}
