import { contextTypeModel, contractStatusModel, contractTypeModel, parseAs } from './models.ts'
import { type Handlers, need } from './params.ts'
import { compareStamps } from './stamp.ts'
import type { PlainState } from './state.ts'

/** The reference's questions: get answers whole snake_case objects, list answers camelCase summaries. */
export function readHandlers(state: PlainState): Handlers {
  const packetsOf = (projectId: unknown) => state.projects.get(projectId as string)?.context_history ?? []

  return {
    'cacp/project/get': (params) => state.project(need(params, 'projectId')),

    'cacp/project/list': () => ({
      projects: [...state.projects.values()].map((project) => ({
        projectId: project.project_id,
        name: project.name,
        status: project.status,
        repoCount: project.repos.length,
        contractCount: project.contracts.length,
        createdAt: project.created_at,
      })),
    }),

    'cacp/contract/get': (params) => {
      const project = state.project(need(params, 'projectId'))
      const { history, ...contract } = state.contract(project, need(params, 'contractId'))
      return params['includeHistory'] === true ? { ...contract, history } : contract
    },

    'cacp/contract/list': (params) => {
      const project = state.projects.get(need(params, 'projectId') as string)
      const status = parseAs(contractStatusModel.nullish(), params['status'])
      const type = parseAs(contractTypeModel.nullish(), params['type'])
      const chosen = (project?.contracts ?? []).filter(
        (contract) =>
          (status ?? contract.status) === contract.status && (type ?? contract.type) === contract.type,
      )
      return {
        contracts: chosen.map((contract) => ({
          contractId: contract.contract_id,
          type: contract.type,
          name: contract.name,
          version: contract.version,
          status: contract.status,
          proposedBy: contract.proposed_by,
        })),
      }
    },

    // A limit of 0 is everything and a negative one skips from the front: it is one slice from the end.
    'cacp/context/list': (params) => {
      const packets = packetsOf(need(params, 'projectId'))
      const { contractId, since, limit = 50 } = params
      const type = parseAs(contextTypeModel.nullish(), params['type'])
      const chosen = packets.filter(
        (packet) =>
          (type ?? packet.type) === packet.type &&
          (contractId == null || packet.related_contracts.includes(contractId as string)) &&
          (since == null || compareStamps(packet.timestamp, since as string) > 0),
      )
      return { packets: chosen.slice(-(limit as number)) }
    },

    // Root and direct replies; one zoned time among naive ones and they cannot be ordered.
    'cacp/context/getThread': (params) => {
      const packets = packetsOf(need(params, 'projectId'))
      const packetId = need(params, 'packetId')
      const root = packets.filter(({ packet_id }) => packet_id === packetId)
      const replies = root.length === 0 ? [] : packets.filter(({ reply_to }) => reply_to === packetId)
      return { thread: [...root, ...replies].sort((a, b) => compareStamps(a.timestamp, b.timestamp)) }
    },

    'cacp/implementation/getStatus': (params) => {
      const project = state.project(need(params, 'projectId'))
      const contract = state.contract(project, need(params, 'contractId'))
      return {
        contractId: contract.contract_id,
        contractStatus: contract.status,
        implementations: contract.implementations.map((implementation) => ({
          repoId: implementation.repo_id,
          agentId: implementation.agent_id,
          status: implementation.status,
          files: implementation.files,
          startedAt: implementation.started_at,
          completedAt: implementation.completed_at,
        })),
      }
    },
  }
}
