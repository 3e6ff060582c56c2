import { ensureDaemon } from '../io/background/ensure-daemon.ts'
import type { CallMethod } from '../mcp/port.ts'
import { serveOverStdio } from '../mcp/stdio.ts'
import { assertFlags } from './call-daemon.ts'
import { createDaemonCalls } from './daemon-calls.ts'
import { printableLine } from './printable.ts'
import type { Terminal } from './terminal.ts'

export interface McpFlags {
  readonly data?: string | undefined
  readonly agentId?: string | undefined
}

/** `cacpd mcp`: returns when the client has gone. The daemon stays, for the next one and for its peers. */
export async function serveMcp(flags: McpFlags, { cwd, env, complain }: Terminal): Promise<void> {
  assertFlags(flags)
  await using calls = createDaemonCalls({
    find: () => ensureDaemon({ cwd, env, dataDir: flags.data }),
    agentId: flags.agentId,
  })
  await serveOverStdio(ofSession(calls.call, `MCP session ${process.pid}`), {
    input: process.stdin,
    output: process.stdout,
    complain: (problem) => complain(`cacpd mcp: ${printableLine(problem.slice(0, 500))}\n`),
  })
}

/** Every client has a process of its own: what it takes from the inbox, it takes by that name unless it gives another. */
const ofSession =
  (call: CallMethod, session: string): CallMethod =>
  (method, params, options) =>
    call(method, method === 'cacp/inbox/take' ? { session, ...params } : params, options)
