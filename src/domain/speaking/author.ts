import { repoName } from '../contract/next-step.ts'
import type { Env } from '../env.ts'
import { repoNamed } from '../lookup.ts'
import { quoted } from '../names/quoted.ts'
import { isAgentOfThisDaemon } from '../repo/acting-for.ts'
import type { ProjectView, View } from '../view.ts'
import { markOfPerson } from '../views/by.ts'
import type { By } from '../views/entities.ts'

/**
 * How far a text can be attributed to its author. own: the caller's agent, or another agent of its daemon; verified
 * peer: paired, so that its key is pinned; plain peer: approved, but its identity is not verified; known: asked to be
 * let in; unknown: known through others only.
 */
type AuthorTrust = 'own' | 'verified peer' | 'known' | 'plain peer' | 'unknown'

export interface Reader {
  readonly view: View
  readonly env: Pick<Env, 'caller' | 'self'>
}

function trustIn(agentId: string | null, { view, env }: Reader): AuthorTrust {
  const { caller, self } = env
  if (agentId === null) return 'unknown'
  if (agentId === caller.agentId) return 'own'
  const isHere = isAgentOfThisDaemon(view, agentId, self)
  if (isHere) return caller.kind === 'operator' || caller.kind === 'open' ? 'own' : 'known'
  const peer = view.peers.get(agentId)
  if (peer?.trust === 'pending') return 'known'
  if (peer?.trust !== 'approved') return 'unknown'
  const isPlain = view.links.get(agentId)?.plain === true
  return peer.identity === undefined || isPlain ? 'plain peer' : 'verified peer'
}

interface Author {
  /** The name of its repo. */
  readonly repo: string
  readonly agentId: string | null
  /** Set if a person spoke for the repo, and not its agent. */
  readonly byPerson?: true | undefined
}

const QUOTED_NAME_LENGTH = 60

/** The author's repo name in quotes, and how far the author is trusted. */
export const authorLabel = ({ repo, agentId, byPerson }: Author, reader: Reader): string =>
  `${byPerson ? 'a person at ' : ''}${quoted(repo, QUOTED_NAME_LENGTH)} (${trustIn(agentId, reader)})`

export const authorOf = (said: By, found: ProjectView): Author => ({
  repo: repoName(found, said.repo_id),
  agentId: said.agent_id,
  ...markOfPerson(said),
})

/** The agent that speaks for the repo of this name. */
export function holderOf(name: string, found: ProjectView | undefined): string | null {
  return (found && repoNamed(found, name)?.holder?.agent_id) ?? null
}
