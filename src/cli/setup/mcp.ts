import { randomUUID } from 'node:crypto'
import { type Client, ConnectionError, connect } from '../../client.ts'
import { sessionName } from '../../domain/names/session-name.ts'
import { ensureDaemon } from '../../io/background/ensure-daemon.ts'
import type { FoundDaemon } from '../../io/place/find-daemon.ts'
import { serveOverStdio } from '../../mcp/stdio.ts'
import type { CallMethod } from '../../mcp/tool.ts'
import { METHODS, type MethodName } from '../../methods/table.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, dataDirectory } from '../form/options.ts'
import { assertFlags } from '../form/with-daemon.ts'
import { printableLine } from '../output/printable.ts'

/** Returns when the client has gone. The daemon stays, for the next client and for its peers. */
export const mcp = command({
  about: 'be the MCP server of a coding agent, over stdin and stdout',
  isCommon: false,
  options: {
    ...dataDirectory('data directory of the daemon (default: CACP_DATA, or that of this repository)'),
    ...AGENT_ID,
  },
  note: `Not for people: a coding agent starts it, in any folder of the repository. It finds the daemon, or starts it in the
background, where it stays.`,
  examples: ['claude mcp add --scope project cacp -- cacpd mcp', 'codex mcp add cacp -- cacpd mcp'],
  run: async (flags, { cwd, env, complain }) => {
    assertFlags(flags)
    const find = () => ensureDaemon({ cwd, env, dataDir: flags.data })
    await using calls = createDaemonCalls({ find, agentId: flags.agentId })
    await serveOverStdio(calls.call, {
      // Every client has a process of its own.
      session: sessionName(env) ?? `MCP session ${process.pid}`,
      input: process.stdin,
      output: process.stdout,
      complain: (problem) => complain(`cacpd mcp: ${printableLine(problem.slice(0, 500))}\n`),
    })
  },
})

/**
 * Calls of whichever daemon runs here at the moment: it may have been started anew meanwhile, at another address. One
 * that is lost because it ended is made again, once.
 */
export function createDaemonCalls({
  find,
  agentId,
}: {
  find(): Promise<FoundDaemon>
  agentId?: string | undefined
}) {
  let held: { life: string; client: Promise<Client> } | undefined

  async function clientOfNow(): Promise<Client> {
    const { endpoint, key } = await find()
    const { url, certificate } = endpoint
    const life = `${url} ${endpoint.pid} ${endpoint.processStart}`
    if (held?.life === life) return held.client
    void closed(held?.client)
    held = { life, client: connect({ url, certificate, key, agentId }) }
    return held.client
  }

  const call: CallMethod = async (method, params, { signal } = {}) => {
    const access = METHODS.find(({ name }) => name === method)?.access
    // With a key, a write whose answer was lost is not done twice. A key among the params goes before it.
    const hasOwn = params['idempotencyKey'] !== undefined
    const idempotencyKey = access === 'write' && !hasOwn ? randomUUID() : undefined
    const once = async () => {
      const client = await clientOfNow()
      // What fits the method is checked by the daemon.
      const result = await client.call(method as MethodName, params as never, { idempotencyKey, signal })
      return result as unknown as JsonObject
    }
    try {
      return await once()
    } catch (error) {
      const isRepeatable = access === 'read' || access === 'write'
      if (!(error instanceof ConnectionError) || !isRepeatable || signal?.aborted === true) throw error
      return await once()
    }
  }

  return { call, [Symbol.asyncDispose]: () => closed(held?.client) }
}

async function closed(client: Promise<Client> | undefined): Promise<void> {
  await (await client?.catch(() => undefined))?.[Symbol.asyncDispose]()
}
