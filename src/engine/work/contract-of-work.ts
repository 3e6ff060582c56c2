import type { Caller } from '../../domain/env.ts'
import { maySee, repoOfAgent } from '../../domain/lookup.ts'
import { contractMeant } from '../../domain/names/find-by-name.ts'
import { chosenProject, onlyProject } from '../../domain/project/current.ts'
import type { View } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Work } from '../../protocol/work.ts'

/** How many characters of the output go into the packet; the work keeps all of them. */
const PACKET_OUTPUT_LENGTH = 100_000

/**
 * The contract on which the result will be recorded. A caller that may not write there is refused before anything is
 * sent.
 */
export function contractNamed(view: View, contractId: string, caller: Caller): NonNullable<Work['contract']> {
  for (const found of view.projects.oldestFirst()) {
    if (found.contracts.get(contractId) === undefined || !maySee(found, caller)) continue
    const { project_id } = found.project
    if (repoOfAgent(found, caller.agentId) === undefined)
      throw new Fault('not_member', `${caller.agentId} holds no repo of project ${project_id}`, {
        next: 'Call cacp/project/join first, or leave the contract out',
        data: {
          projectId: project_id,
          call: { method: 'cacp/project/join', params: { projectId: project_id } },
        },
      })
    return { project_id, contract_id: contractId }
  }
  const current = chosenProject(view, caller) ?? onlyProject(view, caller)
  const named = current && contractMeant(current, contractId, { mayShorten: false })
  if (named !== undefined) return contractNamed(view, named.contract_id, caller)
  throw new Fault('not_found', `No contract ${contractId} here`, {
    next: 'List the contracts with cacp/contract/list',
    data: { contractId },
  })
}

/** The params of cacp/context/share. */
export function packetFor(
  work: Work,
  { project_id, contract_id }: NonNullable<Work['contract']>,
): JsonObject {
  const { result, error } = work
  const output = result?.output.slice(-PACKET_OUTPUT_LENGTH).toWellFormed()
  return {
    projectId: project_id,
    type: 'implementation_status',
    relatedContracts: [contract_id],
    content: {
      work_id: work.work_id,
      work_type: work.work_type,
      done_by: work.agent_id,
      status: work.status,
      ...(result === null
        ? {}
        : {
            exit_code: result.exit_code,
            output,
            output_is_cut: output !== result.output,
            resources_used: result.resources_used,
          }),
      ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
    },
  }
}
