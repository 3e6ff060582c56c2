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
export const nameOf = ({
  repoName,
  agentId,
}: {
  readonly repoName: string
  readonly agentId: string
}): string => repoName || agentId
