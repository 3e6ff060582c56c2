/** Who there is in a simulation, and what is theirs. */

/** The reference implementation. */
export const PLAIN = 'plain'
/** One that is let in, and talks nonsense. */
export const WILD = 'wild'
/** An invited member that lies. */
export const HOSTILE = 'evil'

/** Milliseconds since 1970 when a story begins. */
export const START = Date.UTC(2026, 10, 16, 9)

export const originOf = (name: string): string => `http://${name}`
export const agentOf = (name: string): string => `aid://sim.test/${name}@1.0.0`
export const repoOf = (name: string): string => `repo-${name}`
export const nameAt = (origin: string): string => origin.slice('http://'.length)
