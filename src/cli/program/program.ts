import { Command } from 'commander'
import { VERSION } from '../../version.ts'
import { addBackgroundCommands } from '../daemon/background-commands.ts'
import type { TrustFlags } from '../daemon/config-trust.ts'
import type { StartFlags } from '../daemon/start.ts'
import { withStartOptions } from '../daemon/start-options.ts'
import { addDemoCommand } from '../demo/command.ts'
import type { CallFlags, OutputFlags } from '../derive/call-daemon.ts'
import { JSON_FORMS } from '../derive/read-json.ts'
import type { Terminal } from '../output/terminal.ts'
import { addAdpCommands } from '../peers/adp-commands.ts'
import { addPeerCommands } from '../peers/commands.ts'
import { addTokenCommands } from '../peers/token-commands.ts'
import { addSeatCommands } from '../seat/commands.ts'
import { addSayCommands } from '../seat/say-commands.ts'
import { addUseCommand } from '../seat/use-command.ts'
import { addHookCommand } from '../setup/hook-command.ts'
import { addInitCommands } from '../setup/init-commands.ts'
import { addMcpCommand } from '../setup/mcp-command.ts'
import { agentIdOption, idempotencyOption, withCommonOptions } from './common-options.ts'
import { addMethodGroups } from './group-commands.ts'
import { rootHelp } from './root-help.ts'

/** The command line. What a command needs is loaded when it runs, so that help and errors come at once. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('cacpd')
    .description('Coordinates the coding agents of several repositories (CACP 2.0).')
    .version(VERSION)
    // Read by run(), before there are commands.
    .option('-C <folder>', 'act as if started in that folder (before the command)')
    .helpCommand(false)
    // Methods have a --version too: only what stands before the command belongs to the program.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text),
      writeErr: (text) => terminal.complain(text),
      // Told by report(), like every other error.
      outputError: () => {},
    })
  addDaemonCommands(program, terminal)
  addDemoCommand(program, terminal)
  addHookCommand(program, terminal)
  addInitCommands(program, terminal)
  addLookCommands(program, terminal)
  addPeerCommands(program, terminal)
  addSeatCommands(program, terminal)
  addSayCommands(program, terminal)
  addUseCommand(program, terminal)
  addAgentCommands(program, terminal)
  addMcpCommand(program, terminal)
  addTokenCommands(program, terminal)
  addAdpCommands(program, terminal)
  addMethodGroups(program, terminal)
  addCompletionCommand(program, terminal)
  program.helpInformation = () => rootHelp(terminal)
  return program
}

function addDaemonCommands(program: Command, terminal: Terminal): void {
  withStartOptions(program.command('start'))
    .description('start the daemon of this repository')
    .addHelpText('after', START_EXAMPLES)
    .action(async (flags: StartFlags) => (await import('../daemon/start.ts')).start(flags, terminal))
  addBackgroundCommands(program, terminal)
}

function addLookCommands(program: Command, terminal: Terminal): void {
  withCommonOptions(program.command('status'))
    .description('show whether the daemon runs, what it holds and whom it knows')
    .addHelpText('after', example('cacpd status --json'))
    .action(async (flags: OutputFlags) => (await import('../daemon/look.ts')).showStatus(flags, terminal))
  withCommonOptions(program.command('key'))
    .description('print the operator key, to send as Authorization: Bearer <key>')
    .addHelpText('after', KEY_EXAMPLE)
    .action(async (flags: OutputFlags) => (await import('../daemon/look.ts')).showKey(flags, terminal))
  withCommonOptions(program.command('call'))
    .description('call any method')
    .argument('<method>', 'for example cacp/project/list')
    .argument('[params]', JSON_FORMS)
    .addOption(idempotencyOption())
    .addOption(agentIdOption())
    .addHelpText('after', CALL_EXAMPLES)
    .action(async (method: string, params: string | undefined, flags: CallFlags) =>
      (await import('../daemon/look.ts')).callMethod(method, params, { flags, terminal }),
    )
}

function addAgentCommands(program: Command, terminal: Terminal): void {
  const load = () => import('../work/runs.ts')
  const runs = withCommonOptions(program.command('runs'))
    .description('show what this repository’s agent was asked for, and what became of it')
    .helpCommand(false)
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (flags: OutputFlags) => (await load()).showRuns(flags, terminal))
  withCommonOptions(runs.command('follow'))
    .description('show what a run says, from its start, and as it comes')
    .argument('<run>', 'run ID, as `cacpd runs` shows it')
    .addHelpText('after', example(`cacpd runs follow ${EXAMPLE_RUN}`))
    .action(async (run: string, flags: OutputFlags) => (await load()).followRun(run, flags, terminal))
  withCommonOptions(runs.command('cancel'))
    .description('end a run that is at work')
    .argument('<run>', 'run ID, as `cacpd runs` shows it')
    .addHelpText('after', example(`cacpd runs cancel ${EXAMPLE_RUN}`))
    .action(async (run: string, flags: OutputFlags) => (await load()).cancelRun(run, flags, terminal))
  const config = program
    .command('config')
    .description('what the settings of this repository may do on this machine')
    .helpCommand(false)
    .addHelpText('after', example('cacpd config trust'))
  withCommonOptions(config.command('trust'))
    .description('let config.json name a command to run, and open the daemon to others')
    .option('--config <file>', 'settings (default: config.json in the data directory)')
    .option('--yes', 'do not ask')
    .addHelpText('after', example('cacpd config trust'))
    .action(async (flags: TrustFlags) =>
      (await import('../daemon/config-trust.ts')).trustConfig(flags, terminal),
    )
}

function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('complete', { hidden: true })
    .description(
      'print what can stand for a project, contract, packet, repo, peer or item: asked by completion',
    )
    .argument('<kind>')
    .argument('[words...]', 'the command line so far')
    .action(async (kind: string, words: string[]) =>
      (await import('./complete.ts')).offerValues(kind, words, terminal),
    )
  program
    .command('completion')
    .description('print a script that completes commands, options and names in bash, zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', COMPLETION_EXAMPLES)
    .action(async (shell: string) =>
      (await import('./completion.ts')).printCompletion(shell, program, terminal),
    )
}

const COMPLETION_EXAMPLES = `
Examples:
  source <(cacpd completion bash)          # in ~/.bashrc
  source <(cacpd completion zsh)           # in ~/.zshrc, after compinit
  cacpd completion fish > ~/.config/fish/completions/cacpd.fish`

const EXAMPLE_RUN = '01934a7d-0c2f-7e31-8b55-a7b9f3c12ea4'

const example = (line: string): string => `\nExample:\n  ${line}`

const RUN_EXAMPLES = `
Examples:
  cacpd runs
  cacpd runs follow ${EXAMPLE_RUN}
  cacpd runs cancel ${EXAMPLE_RUN}`

const START_EXAMPLES = `
Examples:
  cacpd start
  cacpd start --repo frontend-app --role frontend --port 8081
  cacpd start --open                                    # no keys, for programs on this machine only
  cacpd start --host 0.0.0.0 --port 8080 --public-url https://laptop.example:8080`

const KEY_EXAMPLE = `
Whoever has it may do everything here: keep it to yourself.

Example:
  curl http://127.0.0.1:8080/peers -H "Authorization: Bearer $(cacpd key)"`

const CALL_EXAMPLES = `
Examples:
  cacpd call cacp/project/list '{}' --json
  cacpd call cacp/contract/propose @contract.json`
