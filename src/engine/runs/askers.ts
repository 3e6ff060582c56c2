import type { Caller } from '../../domain/env.ts'
import type { Asker, Run } from '../../protocol/run/run.ts'

export const askerOf = ({ kind, agentId, repoName, credential, isConfigured }: Caller): Asker => ({
  kind,
  agent_id: agentId,
  repo_name: repoName,
  ...(credential === undefined ? {} : { credential }),
  ...(isConfigured === undefined ? {} : { is_configured: isConfigured }),
})

/** The caller in whose name a run works: the run sees what its asker may see. */
export const callerOf = ({ kind, agent_id, repo_name, credential, is_configured }: Asker): Caller => ({
  kind: kind as Caller['kind'],
  agentId: agent_id,
  repoName: repo_name,
  ...(credential === undefined ? {} : { credential }),
  ...(is_configured === undefined ? {} : { isConfigured: is_configured }),
})

export const isSameAsker = (asker: Asker, caller: Caller): boolean =>
  asker.kind === caller.kind && asker.agent_id === caller.agentId

export const maySeeRun = ({ asked_by }: Run, caller: Caller): boolean =>
  caller.kind === 'operator' || isSameAsker(asked_by, caller)

/** Two requests with the same key are the same request. */
export const requestKey = (asker: Asker, dialect: string, requestId: string): string =>
  JSON.stringify([asker.kind, asker.agent_id, dialect, requestId])
