import type { Command } from 'commander'
import type { OutputFlags } from '../derive/call-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import { withCommonOptions } from '../program/common-options.ts'
import type { InviteFlags } from './pairing.ts'

/** `cacpd invite`, `cacpd join` and `cacpd peers …`: everything about the daemons of other repositories. */
export function addPeerCommands(program: Command, terminal: Terminal): void {
  addPairingCommands(program, terminal)
  addPeersCommand(program, terminal)
}

function addPairingCommands(program: Command, terminal: Terminal): void {
  const load = () => import('./pairing.ts')
  withCommonOptions(program.command('invite'))
    .description('print a URL that lets one other daemon in, once')
    .helpCommand(false)
    .option('--project <id|name>', 'project in which the newcomer gets its repo at once')
    .option('--repo <name>', 'the repo it gets, and goes by here (default: what it calls itself)')
    .option('--expires <time>', 'how long the URL works: 90s, 30m, 24h or 7d', '24h')
    .option('--replace <peer>', 'let it take the place of this agent, with its repos and without its keys')
    .option('--wait', 'stay until the URL was used, and show the words that both sides see')
    .addHelpText('after', INVITE_EXAMPLES)
    .action(async (flags: InviteFlags) => (await load()).invite(flags, terminal))
  withCommonOptions(program.command('join'))
    .description('use an invite: connect with the daemon that made it, both ways')
    .argument('[url]', 'what `cacpd invite` printed; - for stdin (default: the variable CACP_INVITE)')
    .addHelpText('after', JOIN_EXAMPLES)
    .action(async (url: string | undefined, flags: OutputFlags) => (await load()).join(url, flags, terminal))
}

const INVITE_EXAMPLES = `
Examples:
  cacpd invite
  cacpd invite --project 'User Auth' --repo frontend-app --expires 30m
  cacpd invite --replace aid://laptop/frontend@1.0.0    # its laptop was wiped`

const JOIN_EXAMPLES = `
What stands in a command line is seen by all users of this machine while the command runs, and kept by your shell.
The URL works only once, so that is rarely a problem; where it is, paste it into stdin.

Examples:
  cacpd join 'http://127.0.0.1:8080/pair#…'
  cacpd join -`

function addPeersCommand(program: Command, terminal: Terminal): void {
  const load = () => import('./peers.ts')
  const peers = withCommonOptions(program.command('peers'))
    .description('show the daemons of other repositories and how far each has what is here')
    .helpCommand(false)
    .addHelpText('after', PEER_EXAMPLES)
    .action(async (flags: OutputFlags) => (await load()).showPeers(flags, terminal))
  withCommonOptions(peers.command('add'))
    .description('connect with another daemon that needs no key, because it is open; else invite it')
    .argument('<url>', 'where it listens, as `cacpd status` says there')
    .addHelpText('after', '\nExample:\n  cacpd peers add http://127.0.0.1:8081')
    .action(async (url: string, flags: OutputFlags) => (await load()).addPeer(url, flags, terminal))
  withCommonOptions(peers.command('pending'))
    .description('show who registered without a key and waits to be looked at')
    .addHelpText('after', '\nExample:\n  cacpd peers pending')
    .action(async (flags: OutputFlags) => (await load()).showPending(flags, terminal))
  withCommonOptions(peers.command('approve'))
    .description('send what is here to one that is pending')
    .argument('<peer>', PEER_FORMS)
    .addHelpText('after', APPROVE_HELP)
    .action(async (peer: string, flags: OutputFlags) => (await load()).approvePeer(peer, flags, terminal))
  withCommonOptions(peers.command('revoke'))
    .description('shut a peer out: its keys stop working at once')
    .argument('<peer>', PEER_FORMS)
    .addHelpText('after', '\nExample:\n  cacpd peers revoke frontend-app')
    .action(async (peer: string, flags: OutputFlags) =>
      (await load()).callAboutPeer('cacp/peer/revoke', peer, { flags, terminal }),
    )
  withCommonOptions(peers.command('renew'))
    .description('give a peer a new key to call here with; the old one works until the new one is used')
    .argument('<peer>', PEER_FORMS)
    .addHelpText('after', '\nExample:\n  cacpd peers renew frontend-app')
    .action(async (peer: string, flags: OutputFlags) =>
      (await load()).callAboutPeer('cacp/peer/renew', peer, { flags, terminal }),
    )
  withCommonOptions(peers.command('remove'))
    .description('forget a peer with its keys: nothing is sent to it any more')
    .argument('<peer>', PEER_FORMS)
    .addHelpText('after', '\nExample:\n  cacpd peers remove aid://example.com/frontend-agent@1.0.0')
    .action(async (peer: string, flags: OutputFlags) =>
      (await load()).callAboutPeer('cacp/peer/remove', peer, { flags, terminal }),
    )
  withCommonOptions(peers.command('sync'))
    .description('compare states with all peers, or with one, right now')
    .argument('[peer]', PEER_FORMS)
    .addHelpText('after', '\nExample:\n  cacpd peers sync frontend-app')
    .action(async (peer: string | undefined, flags: OutputFlags) =>
      (await load()).syncPeers(peer, flags, terminal),
    )
}

const PEER_FORMS = 'agent ID, repository or URL, as `cacpd peers` shows it'
const PEER_EXAMPLES = `
Examples:
  cacpd peers
  cacpd peers pending
  cacpd peers revoke frontend-app
  cacpd peers sync frontend-app`

const APPROVE_HELP = `
A registration brings no key and proves no name, so approving it gives none: from then on what is here is sent to the
endpoint that it named, and that is all. For a daemon that shall call here too, use an invite instead, which pins who
it is: \`cacpd invite\` here, and \`cacpd join URL\` there.

Example:
  cacpd peers approve frontend-app`
