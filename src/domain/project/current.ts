import { Fault } from '../../protocol/fault.ts'
import { isLocal } from '../delivery/receipt.ts'
import { type Caller, type Env, ownerOf } from '../env.ts'
import { eligibleProjects } from '../names/find-by-name.ts'
import { quoted } from '../names/quoted.ts'
import type { ProjectView, View } from '../view.ts'

/**
 * The project of a call that names none: that of a project token, the one that the agent set as current, or the only
 * open one in which the caller holds a repo; if it holds none, the only open one that it sees.
 */
export function currentProject(view: View, caller: Caller, field = 'projectId'): ProjectView {
  const granted = caller.grant && view.projects.get(caller.grant.projectId)
  const found = granted ?? chosenProject(view, caller, field) ?? onlyProject(view, caller)
  if (found === undefined) throw projectRequired(view, caller, field)
  return found
}

/** Whether a caller that names no project means this one. */
export function isCurrentProject(view: View, found: ProjectView, { caller }: Pick<Env, 'caller'>): boolean {
  try {
    return currentProject(view, caller).project.project_id === found.project.project_id
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** The project that the agent set as current; undefined if it set none. */
export function chosenProject(view: View, caller: Caller, field = 'projectId'): ProjectView | undefined {
  const current = isLocal(caller) ? view.currents.get(ownerOf(caller)) : undefined
  if (current === undefined) return undefined
  const { project_id: projectId, name } = current
  const found = view.projects.get(projectId)
  if (found !== undefined && !found.project.archived) return found
  const problem = found === undefined ? 'is here no more' : 'is archived'
  throw new Fault('conflict', `The current project ${quoted(name, 80)} (${projectId}) ${problem}`, {
    next: `Choose another one, or none, with cacp/project/use, or name it in ${field}`,
    data: { field, projectId, call: { method: 'cacp/project/use', params: { clear: true } } },
  })
}

/** Undefined if there is none, or more than one. */
export function onlyProject(view: View, caller: Caller): ProjectView | undefined {
  const [only, ...others] = eligibleProjects(view, caller)
  return others.length === 0 ? only : undefined
}

function projectRequired(view: View, caller: Caller, field: string): Fault {
  const candidates = eligibleProjects(view, caller).map(({ project: { project_id: id, name } }) => ({
    id,
    name,
  }))
  const required = `Invalid params: ${field} required`
  if (candidates.length === 0)
    return new Fault('invalid_params', required, {
      next: 'There is no open project here: list all with cacp/project/list, or create one with cacp/project/create',
      data: { field, call: { method: 'cacp/project/list', params: {} } },
    })
  const listed = candidates.map(({ id, name }) => `${id} ${quoted(name, 60)}`).join(', ')
  return new Fault('invalid_params', `${required}: which of ${listed}?`, {
    next: `Name one in ${field}, or choose one for all calls with cacp/project/use`,
    data: { field, candidates, ...(isLocal(caller) && { call: using(candidates[0]?.id ?? '') }) },
  })
}

/** The caller has to choose the project. */
const using = (projectId: string) => ({
  method: 'cacp/project/use',
  params: { projectId },
  fill: ['projectId'],
})
