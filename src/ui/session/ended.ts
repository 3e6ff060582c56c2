import { signal } from '@preact/signals'

/** The daemon does not know this session, or not any more. */
export const sessionEnded = signal(false)
