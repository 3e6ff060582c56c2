import type { Self } from '../env.ts'

/** The warning about two daemons with one agent ID, as a copied data directory causes them. */

const FIX = 'Stop one of them; where a copied data directory is to be an agent of its own, set that up anew'

export const twice = (agentId: string): { message: string; fix: string } => ({
  message: `Two daemons run as ${agentId} at the same time`,
  fix: FIX,
})

interface DuplicateSigns {
  readonly agentId: string
  readonly runsTwice: boolean
  readonly hearsUsTwice: boolean
}

export function warningsOf(peers: readonly DuplicateSigns[], { agentId }: Pick<Self, 'agentId'>): string[] {
  const others = peers.filter(({ runsTwice }) => runsTwice).map((peer) => peer.agentId)
  const all = peers.some(({ hearsUsTwice }) => hearsUsTwice) ? [agentId, ...others] : others
  return all.map(twice).map(({ message, fix }) => `${message}. ${fix}`)
}
