import { sessionName } from '../../domain/names/session-name.ts'
import { ensureDaemon } from '../../io/background/ensure-daemon.ts'
import { serveOverStdio } from '../../mcp/stdio.ts'
import { createDaemonCalls } from '../derive/daemon-calls.ts'
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
  },
})
