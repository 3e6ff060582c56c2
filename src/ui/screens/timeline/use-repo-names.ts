import { useCall } from '../../call/use-call.ts'
import { session } from '../../session/session.ts'

/** The names of repositories, by their own IDs and by those of their agents. */
export interface RepoNames {
  repo(repoId: string | null): string | undefined
  agent(agentId: string | null): string | undefined
  /** Undefined where there is only one. */
  project(projectId: string): string | undefined
  /** Of this daemon. */
  readonly own: string | undefined
  readonly all: readonly string[]
}

export function useRepoNames(): RepoNames {
  const { value } = useCall(
    'cacp/project/overview',
    { includeArchived: true },
    { kinds: ['project', 'repo'] },
  )
  const projects = value?.projects ?? []
  const repos = projects.flatMap((one) => one.repos)
  const byId = new Map(repos.map(({ repoId, name }) => [repoId, name]))
  const byAgent = new Map(repos.flatMap(({ agentId, name }) => (agentId === null ? [] : [[agentId, name]])))
  return {
    repo: (repoId) => (repoId === null ? undefined : byId.get(repoId)),
    agent: (agentId) => (agentId === null ? undefined : byAgent.get(agentId)),
    project: (projectId) =>
      projects.length < 2 ? undefined : projects.find((one) => one.projectId === projectId)?.name,
    own: session.value?.repo,
    all: [...new Set(byId.values())].sort(),
  }
}
