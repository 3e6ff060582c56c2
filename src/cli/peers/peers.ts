import type { PeerReport } from '../../methods/services.ts'
import { isShutOut, nameOf } from '../../setup/peer-findings.ts'
import { callAndPrint, type OutputFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import { sameDaemon } from '../output/shell-word.ts'
import { type Showing, showing, timeOn } from '../output/showing.ts'
import type { Terminal } from '../output/terminal.ts'

/** `cacpd peers` */
export async function showPeers(flags: OutputFlags, terminal: Terminal): Promise<void> {
  const [result, { warnings = [] }] = await withDaemon(flags, terminal, (client) =>
    Promise.all([client.call('cacp/peer/list', {}), client.health()]),
  )
  if (flags.json === true) return printResult(result, flags, terminal)
  terminal.print(`${describePeers(result.peers, showing(terminal, flags))}\n`)
  for (const warning of warnings) terminal.complain(`warning: ${printableLine(warning)}\n`)
}

/** `cacpd peers add URL` */
export async function addPeer(url: string, flags: OutputFlags, terminal: Terminal): Promise<void> {
  const added = await withDaemon(flags, terminal, (client) => client.call('cacp/peer/add', { url }))
  printResult(added, flags, terminal)
  if (added.theirStatus !== 'registered')
    terminal.complain(
      `next: It lets nobody in without a key: run \`${terminal.self} invite${sameDaemon(flags)}\` here, and \`cacpd join URL\` there\n`,
    )
}

/** `cacpd peers pending` */
export async function showPending(flags: OutputFlags, terminal: Terminal): Promise<void> {
  const { peers } = await withDaemon(flags, terminal, (client) => client.call('cacp/peer/list', {}))
  const pending = peers
    .filter(({ trust }) => trust === 'pending')
    .map(({ repoName, endpoint, lastSeen, agentId }) => ({ repoName, endpoint, lastSeen, agentId }))
  if (flags.json === true) printResult({ peers: pending }, flags, terminal)
  else if (pending.length === 0) terminal.print('none\n')
  else terminal.print(`${renderRows(pending, showing(terminal, flags))}\n`)
}

/** `cacpd peers approve PEER` */
export async function approvePeer(word: string, flags: OutputFlags, terminal: Terminal): Promise<void> {
  const approved = await withDaemon(flags, terminal, (client) =>
    client.call('cacp/peer/approve', { agentId: word }),
  )
  printResult(approved, flags, terminal)
  if (!approved.hasKey)
    terminal.complain(
      `next: It has no key to call here with. To give it one, run \`${terminal.self} invite${sameDaemon(flags)}\` here, and \`cacpd join URL\` there\n`,
    )
}

/** `cacpd peers revoke | renew | remove PEER` */
export async function callAboutPeer(
  method: 'cacp/peer/revoke' | 'cacp/peer/renew' | 'cacp/peer/remove',
  word: string,
  { flags, terminal }: { flags: OutputFlags; terminal: Terminal },
): Promise<void> {
  const result = await withDaemon(flags, terminal, (client) => client.call(method, { agentId: word }))
  printResult(result, flags, terminal)
  if (result.status === 'revoked')
    terminal.complain(
      `next: To let it in again, run \`${terminal.self} invite${sameDaemon(flags)}\` here, and \`cacpd join URL\` there\n`,
    )
  if (result.status === 'removed')
    terminal.complain(
      `next: It may register again while it still knows this daemon: run \`cacpd peers remove\` there too. To keep it out, run \`${terminal.self} peers revoke${sameDaemon(flags)}\` when it is back\n`,
    )
}

/** `cacpd peers sync [PEER]` */
export async function syncPeers(
  word: string | undefined,
  flags: OutputFlags,
  terminal: Terminal,
): Promise<void> {
  if (word === undefined) return callAndPrint({ method: 'cacp/peer/sync', params: {}, flags, terminal })
  const started = await withDaemon(flags, terminal, (client) =>
    client.call('cacp/peer/sync', { agentId: word }),
  )
  printResult(started, flags, terminal)
}

function describePeers(peers: readonly PeerReport[], terminal: Showing): string {
  if (peers.length === 0)
    return `none; to connect one, run \`${terminal.self} invite\` here and \`cacpd join URL\` there`
  const rows = peers.map((peer) => ({
    repo: peer.callsItself === null ? nameOf(peer) : `${nameOf(peer)} (calls itself ${peer.callsItself})`,
    endpoint: peer.endpoint,
    trust: peer.trust,
    health: peer.health,
    behind: peer.behind,
    'last seen': peer.lastSeen,
    breaker: peer.breaker,
    'clock skew': peer.clockSkewSeconds === null ? null : `${peer.clockSkewSeconds} s`,
    'agent ID': peer.agentId,
  }))
  const table = renderRows(rows, terminal)
  return [
    table,
    ...fingerprints(peers, terminal),
    ...lastErrors(peers, terminal),
    ...setAside(peers, terminal),
    ...refusedFrom(peers, terminal),
    ...waitingFrom(peers, terminal),
  ].join('\n')
}

/** For two people to read to each other. */
function fingerprints(peers: readonly PeerReport[], terminal: Terminal): string[] {
  const lines = peers.flatMap((peer) =>
    peer.fingerprint === null ? [] : [`  ${printableLine(`${nameOf(peer)}: ${peer.fingerprint}`)}`],
  )
  return lines.length === 0
    ? []
    : ['', paint('bold', 'the other side must see the same words:', terminal), ...lines]
}

/** In full and below the table: an error that is cut short helps nobody. */
function lastErrors(peers: readonly PeerReport[], terminal: Terminal): string[] {
  const lines = peers.flatMap((peer) =>
    peer.lastError === null ? [] : [`  ${printableLine(`${nameOf(peer)}: ${peer.lastError}`)}`],
  )
  if (lines.length === 0) return []
  const isKeptOut = peers.some(({ lastError }) => isShutOut(lastError))
  return [
    '',
    paint('bold', 'last error:', terminal),
    ...lines,
    ...(isKeptOut
      ? [
          `  401 and 403 are not to be let in: have \`cacpd invite\` run there, and \`${terminal.self} join URL\` here`,
        ]
      : []),
  ]
}

function setAside(peers: readonly PeerReport[], terminal: Showing): string[] {
  const lines = peers.flatMap((peer) =>
    peer.aside.map(
      ({ key, reason, since }) =>
        `  ${printableLine(`${nameOf(peer)}: ${key} (${reason}; since ${timeOn(terminal, since)})`)}`,
    ),
  )
  return lines.length === 0 ? [] : ['', paint('bold', 'not taken, tried again later:', terminal), ...lines]
}

/** So many of each peer. */
const MOST_REFUSED = 5

function refusedFrom(peers: readonly PeerReport[], terminal: Showing): string[] {
  return peers.flatMap((peer) => {
    const { count, newest } = peer.refused
    if (count === 0) return []
    const lines = newest
      .slice(-MOST_REFUSED)
      .map(
        ({ id, reason, since }) =>
          `  ${printableLine(`${id.slice(0, 12)}: ${reason} (${timeOn(terminal, since)})`)}`,
      )
    const more = count > lines.length ? [`  and ${count - lines.length} more`] : []
    return ['', paint('bold', `refused from ${printableLine(nameOf(peer))}:`, terminal), ...lines, ...more]
  })
}

function waitingFrom(peers: readonly PeerReport[], terminal: Showing): string[] {
  const lines = peers.flatMap((peer) => {
    const { count, since } = peer.waiting
    if (since === null) return []
    const statements = count === 1 ? 'statement' : 'statements'
    return [
      `  ${printableLine(`${nameOf(peer)}: ${count} ${statements} (the oldest since ${timeOn(terminal, since)})`)}`,
    ]
  })
  return lines.length === 0
    ? []
    : ['', paint('bold', 'waiting for what nobody has sent yet:', terminal), ...lines]
}
