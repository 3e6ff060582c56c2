import { Command } from 'commander'
import { VERSION } from '../version.ts'
import type { CallFlags, OutputFlags } from './call-daemon.ts'
import { agentIdOption, dataOption, idempotencyOption, withCommonOptions } from './common-options.ts'
import type { TrustFlags } from './config-trust.ts'
import { HIDDEN_GROUPS, METHOD_GROUPS } from './method-groups.ts'
import { JSON_FORMS } from './read-json.ts'
import type { StartFlags } from './start.ts'
import type { Terminal } from './terminal.ts'

/** The command line. What a command needs is loaded when it runs, so that help and errors come at once. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('cacpd')
    .description('Coordinates the coding agents of several repositories (CACP 2.0).')
    .version(VERSION)
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
  addLookCommands(program, terminal)
  addPeerCommands(program, terminal)
  addAgentCommands(program, terminal)
  addMethodGroups(program, terminal)
  return program
}

function addDaemonCommands(program: Command, terminal: Terminal): void {
  program
    .commandsGroup('Daemon:')
    .command('start')
    .description('start the daemon of this repository')
    .option('--repo <name>', 'name of this repository (default: from the git remote, or the folder)')
    .option('--role <role>', 'backend, frontend, mobile, shared, infra, … (default: guessed from the files)')
    .option('--language <language>', 'main language (default: guessed from the files)')
    .option('--agent-id <aid>', 'who local callers act as (default: made of host and repository)')
    .option('--host <host>', 'loopback address to listen at (default: 127.0.0.1)')
    .option('--port <port>', 'port; 0 for any free one (default: the last one, or the first free from 8080)')
    .addOption(dataOption('data directory (default: .cacp in the repository)'))
    .option('--open', 'let callers on this machine in without a key')
    .option('--config <file>', 'settings (default: config.json in the data directory)')
    .option('--json', 'print one JSON line when listening')
    .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent (default: info)')
    .action(async (flags: StartFlags) => (await import('./start.ts')).start(flags, terminal))
}

function addLookCommands(program: Command, terminal: Terminal): void {
  program.commandsGroup('Look:')
  withCommonOptions(program.command('status'))
    .description('show whether the daemon runs, what it holds and whom it knows')
    .action(async (flags: OutputFlags) => (await import('./look.ts')).showStatus(flags, terminal))
  withCommonOptions(program.command('key'))
    .description('print the operator key, to send as Authorization: Bearer <key>')
    .action(async (flags: OutputFlags) => (await import('./look.ts')).showKey(flags, terminal))
  withCommonOptions(program.command('call'))
    .description('call any method')
    .argument('<method>', 'for example cacp/project/list')
    .argument('[params]', JSON_FORMS)
    .addOption(idempotencyOption())
    .addOption(agentIdOption())
    .action(async (method: string, params: string | undefined, flags: CallFlags) =>
      (await import('./look.ts')).callMethod(method, params, { flags, terminal }),
    )
}

function addPeerCommands(program: Command, terminal: Terminal): void {
  const load = () => import('./peers.ts')
  program.commandsGroup('Peers:')
  const peers = withCommonOptions(program.command('peers'))
    .description('show the daemons of other repositories and how far each has what is here')
    .helpCommand(false)
    .addHelpText('after', PEER_EXAMPLES)
    .action(async (flags: OutputFlags) => (await load()).showPeers(flags, terminal))
  withCommonOptions(peers.command('add'))
    .description('connect with another daemon, both ways')
    .argument('<url>', 'where it listens, as `cacpd status` says there')
    .addHelpText('after', '\nExample:\n  cacpd peers add http://127.0.0.1:8081')
    .action(async (url: string, flags: OutputFlags) => (await load()).addPeer(url, flags, terminal))
  withCommonOptions(peers.command('remove'))
    .description('forget a peer: nothing is sent to it any more')
    .argument('<peer>', PEER_FORMS)
    .addHelpText('after', '\nExample:\n  cacpd peers remove aid://example.com/frontend-agent@1.0.0')
    .action(async (peer: string, flags: OutputFlags) => (await load()).removePeer(peer, flags, terminal))
  withCommonOptions(peers.command('sync'))
    .description('compare states with all peers, or with one, right now')
    .argument('[peer]', PEER_FORMS)
    .addHelpText('after', '\nExample:\n  cacpd peers sync frontend-app')
    .action(async (peer: string | undefined, flags: OutputFlags) =>
      (await load()).syncPeers(peer, flags, terminal),
    )
}

function addAgentCommands(program: Command, terminal: Terminal): void {
  const load = () => import('./runs.ts')
  program.commandsGroup('Agent:')
  const runs = withCommonOptions(program.command('runs'))
    .description('show what this repository’s agent was asked for, and what became of it')
    .helpCommand(false)
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (flags: OutputFlags) => (await load()).showRuns(flags, terminal))
  withCommonOptions(runs.command('follow'))
    .description('show what a run says, from its start, and as it comes')
    .argument('<run>', 'run ID, as `cacpd runs` shows it')
    .action(async (run: string, flags: OutputFlags) => (await load()).followRun(run, flags, terminal))
  withCommonOptions(runs.command('cancel'))
    .description('end a run that is at work')
    .argument('<run>', 'run ID, as `cacpd runs` shows it')
    .action(async (run: string, flags: OutputFlags) => (await load()).cancelRun(run, flags, terminal))
  const config = program
    .command('config')
    .description('what the settings of this repository may do on this machine')
    .helpCommand(false)
  withCommonOptions(config.command('trust'))
    .description('let the daemon run the agent command that config.json names')
    .option('--config <file>', 'settings (default: config.json in the data directory)')
    .option('--yes', 'do not ask')
    .action(async (flags: TrustFlags) => (await import('./config-trust.ts')).trustConfig(flags, terminal))
}

const RUN_EXAMPLES = `
Examples:
  cacpd runs
  cacpd runs follow 01934a7d-0c2f-7e31-8b55-a7b9f3c12ea4
  cacpd runs cancel 01934a7d-0c2f-7e31-8b55-a7b9f3c12ea4`

const PEER_FORMS = 'agent ID, repository or URL, as `cacpd peers` shows it'
const PEER_EXAMPLES = `
Examples:
  cacpd peers
  cacpd peers add http://127.0.0.1:8081
  cacpd peers sync frontend-app`

/** The groups are known by name; the methods of one are loaded when it is asked for. */
function addMethodGroups(program: Command, terminal: Terminal): void {
  program.commandsGroup('Methods:')
  for (const [name, summary] of Object.entries(METHOD_GROUPS))
    program.command(name, { hidden: HIDDEN_GROUPS.has(name) }).description(summary)
  program.hook('preSubcommand', async (_program, command) => {
    if (!Object.hasOwn(METHOD_GROUPS, command.name())) return
    const { addMethodCommands } = await import('./method-commands.ts')
    addMethodCommands(command, terminal)
    if (command.name() === 'work') (await import('./work.ts')).addWorkWords(command, terminal)
    if (command.name() === 'file') (await import('./get-file.ts')).addGetFileCommand(command, terminal)
  })
}
