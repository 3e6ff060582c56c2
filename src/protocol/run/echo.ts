/** Limits of the built-in work `echo`; a request for more is refused. */
export const ECHO_BOUNDS = {
  repeat: 100_000,
  delayMillis: 10_000,
  /** Characters of its whole output. */
  length: 8 * 1024 * 1024,
} as const
