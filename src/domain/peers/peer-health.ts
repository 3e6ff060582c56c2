/** What the health of a peer means, for the doctor and for the dashboard. */

/** What is wrong with a peer of this health; a health without an entry is none that something is wrong with. */
export const SICKNESS: Readonly<Record<string, string>> = {
  failing: 'cannot be reached',
  paused: 'could not be reached for so long that it is tried only now and then',
  incompatible: 'speaks another version of CACP',
  stranger: 'is not shown to be the one that was paired with',
}

/** What is wrong with a peer that `isShutOut` is true of. */
export const SHUT_OUT = 'does not let this daemon in'

const REACH = 'See that its daemon runs there and can be reached; `cacpd peers sync` tries again at once'
const FIXES: Readonly<Record<string, string>> = {
  failing: REACH,
  paused: REACH,
  incompatible: 'Run versions on both sides that speak the same major version of CACP',
  stranger:
    'If it was set up anew, pair again: `cacpd invite --replace AID` here, and `cacpd join URL` there',
}

/** A peer that is only away comes back by itself. */
const COMES_BACK = new Set(['failing', 'paused'])

/** Whether it stays as it is until a person does something. */
export const needsPerson = ({ health, lastError }: PeerCondition): boolean =>
  health in SICKNESS && (!COMES_BACK.has(health) || isShutOut(lastError))

interface PeerCondition {
  readonly health: string
  readonly lastError: string | null
}

/** What is wrong with a peer and how to put it right; undefined while nothing is. */
export function sicknessOf({ health, lastError }: PeerCondition) {
  const what = SICKNESS[health]
  if (what === undefined) return undefined
  return isShutOut(lastError)
    ? { what: SHUT_OUT, fix: 'Run `cacpd invite` there and `cacpd join URL` here' }
    : { what, fix: FIXES[health] }
}

/**
 * Whether the peer answered 401 or 403: our key is unknown there or lacks the permission. A new invite solves both.
 */
export const isShutOut = (lastError: string | null): boolean => / answered 40[13]\b/.test(lastError ?? '')

/** Logical stamps make up for a few seconds; with more, the order of two changes is not the one that people saw. */
const MOST_SKEW_SECONDS = 5

/** By how much its clock is wrong: `12 s ahead of`; undefined where that does no harm. */
export function skewOf(clockSkewSeconds: number | null): string | undefined {
  if (clockSkewSeconds === null || Math.abs(clockSkewSeconds) <= MOST_SKEW_SECONDS) return undefined
  return `${Math.abs(clockSkewSeconds)} s ${clockSkewSeconds > 0 ? 'ahead of' : 'behind'}`
}

/** The agent ID as long as the peer has not said which repository it is of. */
export const nameOf = (peer: { readonly repoName: string; readonly agentId: string }): string =>
  peer.repoName || peer.agentId
