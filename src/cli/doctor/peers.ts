import { twice } from '../../domain/peers/duplicate-daemons.ts'
import { nameOf, sicknessOf, skewOf } from '../../domain/peers/peer-health.ts'
import type { HubReport } from '../../methods/peers/hub.ts'
import type { PeerReport } from '../../methods/peers/peer.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { quoted } from '../output/shell-word.ts'
import { hubLine, isKeptAway } from '../peers/hub.ts'
import { type Finding, findingsOf } from './diagnosis.ts'

const { ok, note, wrong } = findingsOf('peers')

export function peerFindings(peers: readonly PeerReport[]): Finding[] {
  const findings = peers.flatMap(findingsOn)
  if (findings.length > 0) return findings
  const revoked = peers.filter(({ health }) => health === 'revoked').length
  return [ok(allWell(peers.length - revoked, revoked))]
}

function allWell(connected: number, revoked: number): string {
  const others = `${revoked} that ${revoked === 1 ? 'was' : 'were'} revoked`
  if (connected === 0) return revoked === 0 ? 'None yet' : `None but ${others}`
  return `All can be reached and have what is here (${connected})${revoked === 0 ? '' : `, besides ${others}`}`
}

const findingsOn = (peer: PeerReport): Finding[] => [
  ...healthOf(peer),
  ...clockOf(peer),
  ...twiceOf(peer),
  ...refusedByPeer(peer),
  ...refusedOf(peer),
]

function healthOf(peer: PeerReport): Finding[] {
  const { endpoint, health, lastError, lastSeen, behind } = peer
  const name = `${nameOf(peer)} (${endpoint})`
  const sickness = sicknessOf(peer)
  if (sickness !== undefined) {
    const { what, fix } = sickness
    const seen = lastSeen === null ? 'never' : lastSeen
    const why = lastError === null ? '' : `: ${lastError}`
    return [wrong(`${name} ${what}, last seen ${seen}${why}`, fix)]
  }
  if (health === 'pending') {
    const approve = `cacpd peers approve ${quoted(nameOf(peer))}`
    return [note(`${name} asks to be let in`, `If you know it: \`${approve}\``)]
  }
  const isLate = health === 'healthy' && behind !== null && behind > 0
  return isLate ? [note(`${name} has not got ${behind} changes yet`)] : []
}

function clockOf(peer: PeerReport): Finding[] {
  const { clockSkewSeconds } = peer
  const skew = skewOf(clockSkewSeconds)
  if (clockSkewSeconds === null || skew === undefined) return []
  return [
    findingsOf('clock').wrong(
      `The clock of ${nameOf(peer)} is ${skew} that of this machine${refusedBy(clockSkewSeconds)}`,
      'Have both machines set their clocks by the network (NTP)',
    ),
  ]
}

/** Which of the two daemons refuses the statements of the other. */
function refusedBy(skewSeconds: number): string {
  if (Math.abs(skewSeconds) <= LIMITS.clockAheadSeconds) return ''
  return skewSeconds > 0
    ? ': what is written there now is taken here only when the clock here has come that far'
    : ': what is written here now is taken there only when the clock there has come that far'
}

function twiceOf({ runsTwice, agentId }: PeerReport): Finding[] {
  if (!runsTwice) return []
  const { message, fix } = twice(agentId)
  return [wrong(message, fix)]
}

function refusedByPeer(peer: PeerReport): Finding[] {
  const { aside } = peer
  const [first] = aside
  if (first === undefined) return []
  return [
    wrong(
      `${nameOf(peer)} would not take ${aside.length} of what was sent, ${first.key} for one: ${first.reason}`,
      'It is tried again later; `cacpd peers` shows all of it. Where both are cacpd, run the same version on both sides',
    ),
  ]
}

/** Refused statements do no harm here, but the operator should know who sent them. */
export function refusedOf(peer: PeerReport): Finding[] {
  const { count, newest } = peer.refused
  if (count === 0) return []
  return [
    note(
      `${count} of what ${nameOf(peer)} sent ${count === 1 ? 'was' : 'were'} refused, the newest: ${newest.at(-1)?.reason ?? 'not known'}`,
      'It counts nowhere; `cacpd peers` lists the newest. Where that peer is not to be trusted: `cacpd peers revoke PEER`',
    ),
  ]
}

const ofHub = findingsOf('hub')

/** Nothing where the daemon uses no hub. */
export function hubFindings(hub: HubReport | null): Finding[] {
  if (hub === null) return []
  const { troubles, projects } = hub
  const staying = projects.filter(({ travels }) => !travels).map(({ name }) => name)
  const troublesOf = troubles.map(({ message, next }, index) =>
    index === 0 && isKeptAway(hub) ? ofHub.wrong(message, next) : ofHub.note(message, next),
  )
  return [
    ...(troubles.length > 0 ? troublesOf : [ofHub.ok(hubLine(hub))]),
    ...(staying.length === 0
      ? []
      : [ofHub.note(`Seen by members alone, and so not carried by the hub: ${staying.join(', ')}`)]),
  ]
}
