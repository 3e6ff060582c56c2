import { isShutOut, nameOf } from '../../domain/peers/peer-health.ts'
import type { AgentOnHub, PeerReport } from '../../methods/peers/peer.ts'
import type { ResultOf } from '../../methods/table.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import { type Screen, timeOn } from '../output/screen.ts'

/** The peers as a table, and below it what does not fit into a cell. */
export function describePeers({ peers, onHub }: ResultOf<'cacp/peer/list'>, screen: Screen): string {
  const others = section('on the hub, not approved here:', onHub.map(lineOnHub), screen)
  if (peers.length === 0 && onHub.length > 0) return ['none yet', ...others].join('\n')
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
  return [
    renderRows(rows, screen),
    // For two people to read to each other.
    ...section('the other side must see the same words:', linesOf(peers, 'fingerprint'), screen),
    ...section('last error:', [...linesOf(peers, 'lastError'), ...toBeLetIn(peers, screen)], screen),
    ...section('not taken, tried again later:', notTaken(peers, screen), screen),
    ...peers.flatMap((peer) =>
      section(`refused from ${printableLine(nameOf(peer))}:`, refusals(peer.refused, 12, screen), screen),
    ),
    ...section('waiting for what nobody has sent yet:', waitingFrom(peers, screen), screen),
    ...others,
  ].join('\n')
}

/** A title and the lines below it; nothing where there are none. */
export const section = (title: string, lines: readonly string[], look: { colour: boolean }): string[] =>
  lines.length === 0 ? [] : ['', paint('bold', title, look), ...lines.map((line) => `  ${line}`)]

const lineOnHub = ({ repoName, agentId, role, fingerprint }: AgentOnHub): string =>
  printableLine(`${repoName} (${agentId}, ${role}): ${fingerprint}`)

const lineOf = (peer: PeerReport, text: string): string => printableLine(`${nameOf(peer)}: ${text}`)

/** In full and below the table: an error that is cut short helps nobody. */
const linesOf = (peers: readonly PeerReport[], key: 'fingerprint' | 'lastError'): string[] =>
  peers.flatMap((peer) => (peer[key] === null ? [] : [lineOf(peer, peer[key])]))

const toBeLetIn = (peers: readonly PeerReport[], { self }: Screen): string[] =>
  peers.some(({ lastError }) => isShutOut(lastError))
    ? [`401 and 403 are not to be let in: have \`cacpd invite\` run there, and \`${self} join URL\` here`]
    : []

const notTaken = (peers: readonly PeerReport[], screen: Screen): string[] =>
  peers.flatMap((peer) =>
    peer.aside.map(({ key, reason, since }) =>
      lineOf(peer, `${key} (${reason}; since ${timeOn(screen, since)})`),
    ),
  )

const MOST_REFUSED = 5

/** The newest of what was refused, with so much of its ids. */
export function refusals({ count, newest }: PeerReport['refused'], idLength: number, screen: Screen) {
  const lines = newest
    .slice(-MOST_REFUSED)
    .map(({ id, reason, since }) =>
      printableLine(`${id.slice(0, idLength)}: ${reason} (${timeOn(screen, since)})`),
    )
  return count > lines.length ? [...lines, `and ${count - lines.length} more`] : lines
}

const waitingFrom = (peers: readonly PeerReport[], screen: Screen): string[] =>
  peers.flatMap((peer) => {
    const { count, since } = peer.waiting
    if (since === null) return []
    const statements = count === 1 ? 'statement' : 'statements'
    return [lineOf(peer, `${count} ${statements} (the oldest since ${timeOn(screen, since)})`)]
  })
