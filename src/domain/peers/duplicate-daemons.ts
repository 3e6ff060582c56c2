import type { Self } from '../env.ts'

/** Two daemons under one name, as a copied data directory makes them: in words, wherever it is told. */

const FIX = 'Stop one of them; where a copied data directory is to be an agent of its own, set that up anew'

export const twice = (agentId: string): { message: string; fix: string } => ({
  message: `Two daemons run as ${agentId} at the same time`,
  fix: FIX,
})

interface Signs {
  readonly agentId: string
  readonly runsTwice: boolean
  readonly hearsUsTwice: boolean
}

export function warningsOf(peers: readonly Signs[], { agentId }: Pick<Self, 'agentId'>): string[] {
  const others = peers.filter(({ runsTwice }) => runsTwice).map((peer) => peer.agentId)
  const all = peers.some(({ hearsUsTwice }) => hearsUsTwice) ? [agentId, ...others] : others
  return all.map(twice).map(({ message, fix }) => `${message}. ${fix}`)
}
