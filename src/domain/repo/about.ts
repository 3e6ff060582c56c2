import type { Self } from '../env.ts'
import type { RepoDescription } from '../model.ts'
import type { View } from '../view.ts'

interface GivenRepo {
  readonly name: string
  readonly role?: string | undefined
  readonly language?: string | undefined
  readonly relevantPaths: readonly string[]
  readonly url?: string | null | undefined
}

/** The description of a repo that is added; missing fields are what its own daemon says, if that is known here. */
export function describeRepo(given: GivenRepo, view: View, self: Self): RepoDescription {
  const { role, language } = given.name === self.repo ? self : (aboutPeer(given.name, view) ?? NOTHING_KNOWN)
  return {
    role: given.role ?? role,
    language: given.language ?? language,
    relevant_paths: given.relevantPaths,
    url: given.url ?? null,
  }
}

const NOTHING_KNOWN = { role: 'shared', language: 'unknown' }

/** Undefined if several daemons have this name, because nobody knows which is meant. */
function aboutPeer(repoName: string, { peers }: View): typeof NOTHING_KNOWN | undefined {
  const named = [...peers.oldestFirst()].filter(
    ({ repo_name, trust }) => repo_name === repoName && trust === 'approved',
  )
  return named.length === 1 ? named[0]?.about : undefined
}
