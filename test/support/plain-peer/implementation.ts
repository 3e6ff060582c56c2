import { type ActDeps, ownRepo, shareContract } from './acts.ts'
import { contractModel, type PlainContract, type PlainProject, parseAs } from './models.ts'
import { type Handlers, need, type Params } from './params.ts'
import { BadValue } from './stamp.ts'
import { copy, putBy } from './state.ts'

export function implementationHandlers(deps: ActDeps): Handlers {
  const { state, self, now } = deps

  /** The project, and the contract to change in a copy: a change that does not fit leaves nothing behind. */
  function find(params: Params): { project: PlainProject; contract: PlainContract } {
    const project = state.project(need(params, 'projectId'))
    return { project, contract: copy(state.contract(project, need(params, 'contractId'))) }
  }

  return {
    'cacp/implementation/start': async (params) => {
      const { project, contract } = find(params)
      const { repo_id } = ownRepo(project, self.agentId)
      if (contract.status !== 'agreed' && contract.status !== 'implemented') {
        throw new BadValue(`Cannot start from ${contract.status}`)
      }
      const implementation = {
        repo_id,
        agent_id: self.agentId,
        status: 'in_progress' as const,
        files: (params['estimatedFiles'] ?? []) as string[],
        notes: '',
        plan: (params['plan'] ?? null) as string | null,
        test_endpoint: null,
        started_at: now(),
        completed_at: null,
      }
      putBy(contract.implementations, implementation, (other) => other.repo_id)
      await shareContract(deps, project, parseAs(contractModel, contract))
      return { status: 'started', implementationId: `${contract.contract_id}:${repo_id}` }
    },

    'cacp/implementation/complete': async (params) => {
      const { project, contract } = find(params)
      const { repo_id } = ownRepo(project, self.agentId)
      const files = need(params, 'files') as string[]
      const started = contract.implementations.find((other) => other.repo_id === repo_id)
      if (started === undefined) throw new BadValue('Implementation was not started')
      Object.assign(started, {
        status: 'complete',
        files,
        notes: params['notes'] ?? '',
        test_endpoint: params['testEndpoint'] ?? null,
        completed_at: now(),
      })
      if (contract.status === 'agreed' && isCompleteEverywhere(project, contract)) {
        contract.status = 'implemented'
      }
      await shareContract(deps, project, parseAs(contractModel, contract))
      return { status: 'complete', contractStatus: contract.status }
    },

    // Asks for no membership, and throws notes and failureDetails away.
    'cacp/implementation/verify': async (params) => {
      const { project, contract } = find(params)
      if (contract.status !== 'implemented') throw new BadValue(`Cannot verify from ${contract.status}`)
      const status = verify(contract, need(params, 'result'))
      await shareContract(deps, project, contract)
      return { status, contractStatus: contract.status }
    },
  }
}

/** Repos that nobody claimed count too. */
function isCompleteEverywhere({ repos }: PlainProject, { implementations }: PlainContract): boolean {
  return repos.every(({ repo_id }) =>
    implementations.some((other) => other.repo_id === repo_id && other.status === 'complete'),
  )
}

function verify(contract: PlainContract, result: unknown): string {
  switch (result) {
    case 'success':
      contract.status = 'verified'
      return 'verified'
    case 'failure':
      contract.status = 'agreed'
      for (const implementation of contract.implementations) implementation.status = 'needs_revision'
      return 'failed'
    case 'partial':
      return 'partial'
    default:
      throw new BadValue(`Unknown result: ${result}`)
  }
}
