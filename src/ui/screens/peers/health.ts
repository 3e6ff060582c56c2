import { isShutOut, SHUT_OUT, SICKNESS, skewOf } from '../../../domain/peers/peer-health.ts'
import type { ResultOf } from '../../../methods/table.ts'
import { figure } from '../../text/figures.ts'
import type { Sentence } from '../../text/sentence.ts'
import type { Said } from '../../text/words.ts'

export type Peer = ResultOf<'cacp/peer/list'>['peers'][number]

/** How a peer is, in a word, with its reason and what can be done about it. */
export interface Health extends Said {
  readonly reason: Sentence
  readonly next: string | null
}

const REACH = 'See that its daemon runs there and can be reached; Sync now tries again at once.'
const NEXT: Readonly<Record<string, string>> = {
  failing: REACH,
  paused: REACH,
  incompatible: 'Run versions on both sides that speak the same major version of CACP.',
  stranger: 'If it was set up anew, make an invite that replaces it, and join with that there.',
}

export function healthOf(peer: Peer): Health {
  const { health, lastError, behind } = peer
  const error: Sentence = lastError === null ? [] : [': ', { quoted: lastError }]
  const sickness = SICKNESS[health]
  if (sickness !== undefined) {
    const isKeyless = isShutOut(lastError)
    const next = isKeyless ? 'Make an invite there, and join with it here.' : (NEXT[health] ?? null)
    return { ...saidAs(health, 'warning', 'bad', [`it ${isKeyless ? SHUT_OUT : sickness}`, ...error]), next }
  }
  if (health === 'pending') {
    const asks = 'it asks to be let in; until you approve, nothing is sent to it'
    return saidAs('pending', 'question', 'warn', [asks])
  }
  if (health === 'revoked') {
    const keys = peer.fingerprint === null ? '' : 'its keys do not work, and '
    return saidAs('revoked', 'cross', 'calm', [`you shut it out: ${keys}nothing is sent to it`])
  }
  if (health !== 'healthy') {
    const why: Sentence = lastError === null ? ['the connection is being made'] : [{ quoted: lastError }]
    return saidAs(health, 'clock', 'busy', why)
  }
  if (behind !== null && behind > 0) {
    const underway = `it can be reached; ${changes(behind)} on the way to it`
    return saidAs('catching up', 'change', 'busy', [underway])
  }
  const has = behind === null ? '; nobody can tell how much it has' : ', and has everything that is here'
  return saidAs('healthy', 'check', 'good', [`it can be reached${has}`])
}

function saidAs(word: string, icon: Said['icon'], tone: Said['tone'], reason: Sentence): Health {
  return { word, icon, tone, reason, next: null }
}

/** `1 change is`, `12 changes are` */
const changes = (count: number): string => (count === 1 ? '1 change is' : `${figure(count)} changes are`)

/** Something else that is wrong with a peer, whatever its health. */
export interface Remark {
  readonly text: Sentence
  readonly next: string | null
}

export function remarksOn(peer: Peer): Remark[] {
  const { clockSkewSeconds, aside, refused, waiting } = peer
  const remarks: Remark[] = []
  const remark = (text: Sentence, next: string | null) => remarks.push({ text, next })
  if (peer.trust === 'approved' && peer.fingerprint === null)
    remark(
      [
        'it was approved without an invite: it has no key of this daemon, and only an open daemon takes what it sends',
      ],
      'Make an invite, and join with that there.',
    )
  const twice =
    'Stop one of them; a copied data directory that is to be an agent of its own has to be set up anew.'
  if (peer.runsTwice) remark(['two daemons run under its name at once'], twice)
  if (peer.hearsUsTwice) remark(['it hears two daemons at once under the name of this one'], twice)
  const skew = skewOf(clockSkewSeconds)
  if (skew !== undefined)
    remark([`its clock is ${skew} the one here`], 'Have both machines set their clocks by the network (NTP).')
  const [first] = aside
  if (first !== undefined)
    remark(
      [`it would not take ${aside.length} of what was sent; the newest: `, { quoted: first.reason }],
      'It is tried again later. Where both are cacpd, run the same version on both sides.',
    )
  const newest = refused.newest.at(-1)
  if (refused.count > 0)
    remark(
      [
        `${figure(refused.count)} of what it sent ${refused.count === 1 ? 'was' : 'were'} refused`,
        ...(newest === undefined ? [] : ['; the newest: ', { quoted: newest.reason }]),
      ],
      'What is refused counts nowhere. Revoke the peer if it is not to be trusted.',
    )
  const waits = waiting.count === 1 ? 'waits' : 'wait'
  if (waiting.count > 0)
    remark([`${figure(waiting.count)} of what it sent ${waits} for what nobody has sent yet`], null)
  return remarks
}

/** Who asks to be let in first, then those that something is wrong with; shut out ones last. */
export function inOrder(peers: readonly Peer[]): Peer[] {
  const rank = (peer: Peer): number => {
    if (peer.trust === 'pending') return 0
    if (peer.trust === 'revoked') return 4
    const { tone } = healthOf(peer)
    if (tone === 'bad') return 1
    return tone === 'busy' || remarksOn(peer).length > 0 ? 2 : 3
  }
  return [...peers].sort((a, b) => rank(a) - rank(b) || (a.repoName < b.repoName ? -1 : 1))
}

/** How often what is in no feed is asked for while it is looked at. */
export const PEERS_LIVE = { local: ['peers', 'invites'], everySeconds: 5 } as const
