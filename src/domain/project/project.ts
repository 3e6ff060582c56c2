import { oncePer } from '../../protocol/collections/once-per.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { ProjectStatus } from '../../protocol/words.ts'
import type { ProjectView } from '../view.ts'

/** Planning until work starts, integrating once every contract is implemented, complete once all are verified. */
export const projectStatus = oncePer(findStatus)

/** The newest time of all its parts. */
export const updatedAt = oncePer(findUpdate)

/** A contract counts with the status of its revision in force, whatever has been proposed since. */
function findStatus({ contracts }: ProjectView): ProjectStatus {
  let counted = 0
  let implemented = 0
  let verified = 0
  let hasStarted = false
  for (const { in_force, works, is_withdrawn, is_retired } of contracts.oldestFirst()) {
    if (is_withdrawn || is_retired) continue
    counted++
    if (works.length > 0) hasStarted = true
    if (in_force?.status === 'verified') verified++
    else if (in_force?.status === 'implemented') implemented++
    if (hasStarted && implemented + verified < counted) return 'implementing'
  }
  if (counted === 0 || implemented + verified < counted) return 'planning'
  return verified === counted ? 'complete' : 'integrating'
}

function findUpdate({ project, repos, contracts, packets }: ProjectView): Stamp {
  let newest = project.updated_at
  for (const parts of [repos, contracts, packets])
    for (const { updated_at } of parts.oldestFirst()) if (updated_at > newest) newest = updated_at
  return newest
}
