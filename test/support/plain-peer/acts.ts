import {
  contractModel,
  type PlainContract,
  type PlainProject,
  type PlainRepo,
  packetModel,
  parseAs,
  projectModel,
  repoModel,
} from './models.ts'
import { type Handler, type Handlers, need, type Params } from './params.ts'
import { BadValue } from './stamp.ts'
import type { PlainState } from './state.ts'

export interface ActDeps {
  readonly state: PlainState
  readonly self: { readonly agentId: string; readonly repoName: string; readonly endpoint: string }
  readonly now: () => string
  readonly newId: () => string
  /** To all healthy peers, and the call waits for all of them. */
  readonly broadcast: (method: string, params: object) => Promise<void>
}

/** Projects, contracts up to their agreement, and context. Every caller acts as the peer's own agent. */
export function actHandlers(deps: ActDeps): Handlers {
  const { state, self, now, newId, broadcast } = deps

  const share: (type: (params: Params) => unknown, contentOf: (params: Params) => unknown) => Handler =
    (typeOf, contentOf) => async (params) => {
      const project = state.project(need(params, 'projectId'))
      const packet = parseAs(packetModel, {
        packet_id: newId(),
        from_repo: ownRepo(project, self.agentId).repo_id,
        from_agent: self.agentId,
        timestamp: now(),
        type: typeOf(params),
        content: contentOf(params),
        related_contracts: params['relatedContracts'] ?? [],
        reply_to: params['replyTo'] ?? null,
      })
      project.context_history.push(packet)
      await broadcast('cacp/context/sync', { projectId: project.project_id, packet })
      return { packetId: packet.packet_id, status: 'shared' }
    }

  return {
    'cacp/project/create': async (params) => {
      const repos = ((params['repos'] ?? []) as Params[]).map((repo) => {
        const name = need(repo, 'name')
        const isOwn = name === self.repoName
        return parseAs(repoModel, {
          repo_id: newId(),
          name,
          role: need(repo, 'role'),
          language: need(repo, 'language'),
          relevant_paths: repo['relevantPaths'] ?? [],
          url: repo['url'] ?? null,
          assigned_agent: isOwn ? self.agentId : null,
          agent_endpoint: isOwn ? self.endpoint : null,
        })
      })
      const project = parseAs(projectModel, {
        project_id: newId(),
        name: need(params, 'name'),
        objective: need(params, 'objective'),
        status: 'planning',
        repos,
        created_at: now(),
        updated_at: now(),
      })
      state.storeProject(project)
      await broadcast('cacp/project/sync', { project })
      return { projectId: project.project_id, status: 'created', repoCount: repos.length }
    },

    'cacp/project/join': async (params) => {
      const project = state.project(need(params, 'projectId'))
      const repoName = need(params, 'repoName')
      const found = project.repos.find(({ name }) => name === repoName)
      if (found === undefined) throw new BadValue(`Repo not found: ${repoName}`)
      if (found.assigned_agent !== null && found.assigned_agent !== self.agentId) {
        throw new BadValue(`Repo already claimed by ${found.assigned_agent}`)
      }
      const agent_endpoint = params['agentEndpoint'] ?? self.endpoint
      const repo = parseAs(repoModel, { ...found, assigned_agent: self.agentId, agent_endpoint })
      state.storeRepo(project, repo)
      await broadcast('cacp/repo/sync', { projectId: project.project_id, repo })
      return { status: 'joined', repoId: repo.repo_id, projectName: project.name }
    },

    'cacp/contract/propose': async (params) => {
      const project = state.project(need(params, 'projectId'))
      const contract = parseAs(contractModel, {
        contract_id: newId(),
        type: need(params, 'type'),
        name: need(params, 'name'),
        version: 1,
        status: 'proposed',
        content: need(params, 'content'),
        proposed_by: ownRepo(project, self.agentId).repo_id,
        created_at: now(),
        updated_at: now(),
      })
      await shareContract(deps, project, contract)
      return { contractId: contract.contract_id, version: 1, status: contract.status }
    },

    // Nobody asks whether the caller is a member, or the proposer itself; comments are thrown away.
    'cacp/contract/respond': async (params) => {
      const project = state.project(need(params, 'projectId'))
      const contract = state.contract(project, need(params, 'contractId'))
      const status = respond(contract, need(params, 'action'))
      await shareContract(deps, project, contract)
      return { status, contractVersion: contract.version, contractStatus: contract.status }
    },

    // From any state; implementations stay as they were; the old content is filed under the new note.
    'cacp/contract/update': async (params) => {
      const project = state.project(need(params, 'projectId'))
      const contract = state.contract(project, need(params, 'contractId'))
      const proposed_by = ownRepo(project, self.agentId).repo_id
      const { history, version, content } = contract
      const entry = { version, content, proposed_by: contract.proposed_by, timestamp: now() }
      const updated = parseAs(contractModel, {
        ...contract,
        version: version + 1,
        status: 'proposed',
        content: need(params, 'content'),
        proposed_by,
        history: [...history, { ...entry, change_notes: params['changeNotes'] ?? null }],
      })
      await shareContract(deps, project, updated)
      return { contractId: contract.contract_id, version: updated.version, status: updated.status }
    },

    'cacp/context/share': share(
      (params) => need(params, 'type'),
      (params) => need(params, 'content'),
    ),
    'cacp/context/askQuestion': share(
      () => 'question',
      (params) => ({
        question: need(params, 'question'),
        options: params['options'] ?? null,
        urgent: params['urgent'] ?? false,
      }),
    ),
    'cacp/context/recordDecision': share(
      () => 'decision',
      (params) => ({
        decision: need(params, 'decision'),
        chosen: need(params, 'chosen'),
        rationale: need(params, 'rationale'),
        implications: params['implications'] ?? [],
      }),
    ),
  }
}

export async function shareContract(
  { state, broadcast }: ActDeps,
  project: PlainProject,
  contract: PlainContract,
): Promise<void> {
  state.storeContract(project, contract)
  await broadcast('cacp/contract/sync', { projectId: project.project_id, contract })
}

export function ownRepo(project: PlainProject, agentId: string): PlainRepo {
  const repo = project.repos.find(({ assigned_agent }) => assigned_agent === agentId)
  if (repo === undefined) throw new BadValue(`Agent ${agentId} has no repo in this project`)
  return repo
}

function respond(contract: PlainContract, action: unknown): string {
  const { status } = contract
  switch (action) {
    case 'agree':
      if (status !== 'proposed' && status !== 'negotiating') throw new BadValue(`Cannot agree from ${status}`)
      contract.status = 'agreed'
      return 'agreed'
    case 'request_change':
      // Answers the same when it changes nothing.
      if (status === 'proposed') contract.status = 'negotiating'
      return 'change_requested'
    case 'reject':
      contract.status = 'proposed'
      return 'rejected'
    default:
      throw new BadValue(`Unknown action: ${action}`)
  }
}
