import { sessionName } from '../../domain/names/session-name.ts'
import { ensureDaemon } from '../../io/background/ensure-daemon.ts'
import { serveOverStdio } from '../../mcp/stdio.ts'
import { assertFlags } from '../derive/call-daemon.ts'
import { createDaemonCalls } from '../derive/daemon-calls.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'

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
  await serveOverStdio(calls.call, {
    // Every client has a process of its own.
    session: sessionName(env) ?? `MCP session ${process.pid}`,
    input: process.stdin,
    output: process.stdout,
    complain: (problem) => complain(`cacpd mcp: ${printableLine(problem.slice(0, 500))}\n`),
  })
}
