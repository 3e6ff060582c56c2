import { contractModel, packetModel, parseAs, projectModel, repoModel } from './models.ts'
import { type Handlers, need, type Params } from './params.ts'
import { compareStamps } from './stamp.ts'
import type { PlainState } from './state.ts'

/**
 * How the reference takes what peers broadcast. It passes nothing on, asks no state machine, and answers
 * a part of a project that it does not hold with a successful result of status "error".
 */
export function syncHandlers(state: PlainState): Handlers {
  const unknownProject = { status: 'error', reason: 'Project not found' }
  const projectOf = (params: Params) => state.projects.get(need(params, 'projectId') as string)

  return {
    // An accepted project takes the place of the whole of ours: contracts and context that it lacks are gone.
    'cacp/project/sync': (params) => {
      const project = parseAs(projectModel, need(params, 'project'))
      const held = state.projects.get(project.project_id)
      if (held !== undefined && compareStamps(project.updated_at, held.updated_at) <= 0) {
        return { status: 'skipped', reason: 'Local version is newer' }
      }
      state.storeProject(project)
      return { status: held === undefined ? 'created' : 'updated', projectId: project.project_id }
    },

    // A higher version OR a newer time: an old version with a newer time overwrites a newer version.
    'cacp/contract/sync': (params) => {
      const project = projectOf(params)
      if (project === undefined) return unknownProject
      const contract = parseAs(contractModel, need(params, 'contract'))
      const { contract_id: contractId, version } = contract
      const held = project.contracts.find(({ contract_id }) => contract_id === contractId)
      if (held !== undefined) {
        const isNewer = compareStamps(contract.updated_at, held.updated_at) > 0
        if (version <= held.version && !isNewer) {
          return { status: 'skipped', reason: 'Local version is newer' }
        }
      }
      state.storeContract(project, contract)
      return held === undefined
        ? { status: 'created', contractId }
        : { status: 'updated', contractId, version }
    },

    // A packet keeps the time it came with, zone and all; only getThread finds out.
    'cacp/context/sync': (params) => {
      const project = projectOf(params)
      if (project === undefined) return unknownProject
      const packet = parseAs(packetModel, need(params, 'packet'))
      if (project.context_history.some(({ packet_id }) => packet_id === packet.packet_id)) {
        return { status: 'skipped', reason: 'Packet already exists' }
      }
      project.context_history.push(packet)
      return { status: 'created', packetId: packet.packet_id }
    },

    // The last one to speak holds the repo, whoever claimed it before.
    'cacp/repo/sync': (params) => {
      const project = projectOf(params)
      if (project === undefined) return unknownProject
      const repo = parseAs(repoModel, need(params, 'repo'))
      const isHeld = project.repos.some(({ repo_id }) => repo_id === repo.repo_id)
      state.storeRepo(project, repo)
      return { status: isHeld ? 'updated' : 'created', repoId: repo.repo_id }
    },
  }
}
