/** What the supervisor does when the daemon's process has ended. */

export interface ProcessExit {
  readonly millis: number
  readonly hasListened: boolean
  /** null when a signal ended it. */
  readonly exitCode: number | null
}

export interface Past {
  /** Whether any process before this one ever listened. */
  readonly hasListened: boolean
  /** Crashes in a row, each soon after its start. */
  readonly crashes: number
}

export const RESTART_RULES = {
  firstMillis: 1000,
  mostMillis: 60_000,
  /** A process that ran this long resets the count of crashes. */
  steadyMillis: 60_000,
  mostCrashes: 10,
}
export type RestartRules = Readonly<typeof RESTART_RULES>

export type Verdict =
  /** It was stopped normally. */
  | { readonly act: 'end' }
  /** The first start failed: the cause will not go away in a second, and the user waits for the error. */
  | { readonly act: 'refused' }
  | { readonly act: 'give up'; readonly crashes: number }
  | { readonly act: 'restart'; readonly crashes: number; readonly afterMillis: number }

export function afterExit(exit: ProcessExit, past: Past, rules: RestartRules = RESTART_RULES): Verdict {
  if (exit.exitCode === 0) return { act: 'end' }
  if (!exit.hasListened && !past.hasListened) return { act: 'refused' }
  const crashes = exit.millis >= rules.steadyMillis ? 1 : past.crashes + 1
  if (crashes >= rules.mostCrashes) return { act: 'give up', crashes }
  const afterMillis = Math.min(rules.mostMillis, rules.firstMillis * 2 ** (crashes - 1))
  return { act: 'restart', crashes, afterMillis }
}
