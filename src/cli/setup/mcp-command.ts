import type { Command } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import { agentIdOption, dataOption } from '../program/common-options.ts'
import type { McpFlags } from './mcp.ts'

export function addMcpCommand(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description('be the MCP server of a coding agent, over stdin and stdout')
    .addOption(dataOption('data directory of the daemon (default: CACP_DATA, or that of this repository)'))
    .addOption(agentIdOption())
    .addHelpText('after', EXAMPLES)
    .action(async (flags: McpFlags) => (await import('./mcp.ts')).serveMcp(flags, terminal))
}

const EXAMPLES = `
Not for people: a coding agent starts it, in any folder of the repository. It finds the daemon, or starts it in the
background, where it stays.

Examples:
  claude mcp add --scope project cacp -- cacpd mcp
  codex mcp add cacp -- cacpd mcp`
