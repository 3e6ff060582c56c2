/** What the built-in work `echo` says at most; whoever asks for more is refused. */
export const ECHO_BOUNDS = {
  repeat: 100_000,
  delayMillis: 10_000,
  /** Of all that it says, in characters. */
  length: 8 * 1024 * 1024,
} as const
