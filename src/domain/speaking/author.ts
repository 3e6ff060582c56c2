import { repoName } from '../contract/next-step.ts'
import type { Env } from '../env.ts'
import { repoNamed } from '../lookup.ts'
import { quoted } from '../names/quoted.ts'
import { isAtHome } from '../repo/acting-for.ts'
import type { ProjectView, View } from '../view.ts'

/**
 * How far what somebody wrote can be ascribed to it. own: the caller's agent, or one that works with its daemon;
 * verified peer: paired, so its key is pinned; plain peer: let in, but nobody checked who it is; known: asked to be
 * let in; unknown: heard of through others.
 */
export type AuthorTrust = 'own' | 'verified peer' | 'known' | 'plain peer' | 'unknown'

export interface Reader {
  readonly view: View
  readonly env: Pick<Env, 'caller' | 'self'>
}

export function trustIn(agentId: string | null, { view, env }: Reader): AuthorTrust {
  const { caller, self } = env
  if (agentId === null) return 'unknown'
  if (agentId === caller.agentId) return 'own'
  const isHere = isAtHome(view, agentId, self)
  if (isHere) return caller.kind === 'operator' || caller.kind === 'open' ? 'own' : 'known'
  const peer = view.peers.get(agentId)
  if (peer?.trust === 'pending') return 'known'
  if (peer?.trust !== 'approved') return 'unknown'
  const isPlain = view.links.get(agentId)?.plain === true
  return peer.identity === undefined || isPlain ? 'plain peer' : 'verified peer'
}

export interface Author {
  /** What it is called. */
  readonly repo: string
  readonly agentId: string | null
}

/** Characters of a name, with its quotes. */
const NAME_LENGTH = 60

/** Its repo, as it calls itself, and how far that is to be trusted. */
export const tellAuthor = ({ repo, agentId }: Author, reader: Reader): string =>
  `${quoted(repo, NAME_LENGTH)} (${trustIn(agentId, reader)})`

/** Of what a repo did; where no agent is written down, it was the one that holds the repo. */
export function authorFrom(repoId: string, agentId: string | null, found: ProjectView): Author {
  const repo = repoName(found, repoId)
  return { repo, agentId: agentId ?? holderOf(repo, found) }
}

/** The agent that speaks for the repo of this name. */
export function holderOf(name: string, found: ProjectView | undefined): string | null {
  return (found && repoNamed(found, name)?.holder?.agent_id) ?? null
}
