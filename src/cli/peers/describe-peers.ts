import type { PeerReport } from '../../methods/peers/peer.ts'
import { isShutOut, nameOf } from '../../setup/peer-findings.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import { type Screen, timeOn } from '../output/screen.ts'

/** The peers as a table, and below it what does not fit into a cell. */
export function describePeers(peers: readonly PeerReport[], screen: Screen): string {
  if (peers.length === 0)
    return `none; to connect one, run \`${screen.self} invite\` here and \`cacpd join URL\` there`
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
  const table = renderRows(rows, screen)
  return [
    table,
    ...fingerprints(peers, screen),
    ...lastErrors(peers, screen),
    ...notTaken(peers, screen),
    ...refusedFrom(peers, screen),
    ...waitingFrom(peers, screen),
  ].join('\n')
}

/** A title and the lines below it; nothing where there are none. */
const section = (title: string, lines: readonly string[], look: { colour: boolean }): string[] =>
  lines.length === 0 ? [] : ['', paint('bold', title, look), ...lines.map((line) => `  ${line}`)]

const lineOf = (peer: PeerReport, text: string): string => printableLine(`${nameOf(peer)}: ${text}`)

/** For two people to read to each other. */
const fingerprints = (peers: readonly PeerReport[], screen: Screen): string[] =>
  section(
    'the other side must see the same words:',
    peers.flatMap((peer) => (peer.fingerprint === null ? [] : [lineOf(peer, peer.fingerprint)])),
    screen,
  )

/** In full and below the table: an error that is cut short helps nobody. */
function lastErrors(peers: readonly PeerReport[], screen: Screen): string[] {
  const errors = peers.flatMap((peer) => (peer.lastError === null ? [] : [lineOf(peer, peer.lastError)]))
  const toDo = peers.some(({ lastError }) => isShutOut(lastError))
    ? [
        `401 and 403 are not to be let in: have \`cacpd invite\` run there, and \`${screen.self} join URL\` here`,
      ]
    : []
  return section('last error:', [...errors, ...toDo], screen)
}

function notTaken(peers: readonly PeerReport[], screen: Screen): string[] {
  const lines = peers.flatMap((peer) =>
    peer.aside.map(({ key, reason, since }) =>
      lineOf(peer, `${key} (${reason}; since ${timeOn(screen, since)})`),
    ),
  )
  return section('not taken, tried again later:', lines, screen)
}

/** How many of each peer are shown. */
const MOST_REFUSED = 5

const refusedFrom = (peers: readonly PeerReport[], screen: Screen): string[] =>
  peers.flatMap((peer) => {
    const { count, newest } = peer.refused
    if (count === 0) return []
    const lines = newest
      .slice(-MOST_REFUSED)
      .map(({ id, reason, since }) =>
        printableLine(`${id.slice(0, 12)}: ${reason} (${timeOn(screen, since)})`),
      )
    const more = count > lines.length ? [`and ${count - lines.length} more`] : []
    return section(`refused from ${printableLine(nameOf(peer))}:`, [...lines, ...more], screen)
  })

function waitingFrom(peers: readonly PeerReport[], screen: Screen): string[] {
  const lines = peers.flatMap((peer) => {
    const { count, since } = peer.waiting
    if (since === null) return []
    const statements = count === 1 ? 'statement' : 'statements'
    return [lineOf(peer, `${count} ${statements} (the oldest since ${timeOn(screen, since)})`)]
  })
  return section('waiting for what nobody has sent yet:', lines, screen)
}
