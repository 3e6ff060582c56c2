import type { PeerReport } from '../../methods/services.ts'
import { isShutOut, nameOf } from '../../setup/peer-findings.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import { type Screen, timeOn } from '../output/screen.ts'
import type { Terminal } from '../output/terminal.ts'

/** The peers as a table, and below it what does not fit into a cell. */
export function describePeers(peers: readonly PeerReport[], terminal: Screen): string {
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

function setAside(peers: readonly PeerReport[], terminal: Screen): string[] {
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

function refusedFrom(peers: readonly PeerReport[], terminal: Screen): string[] {
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

function waitingFrom(peers: readonly PeerReport[], terminal: Screen): string[] {
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
