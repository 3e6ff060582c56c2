import type { Project } from './model.ts'
import type { ProjectView } from './view.ts'

/** A project that is just arriving has no parts here yet. */
export function emptyRoom(project: Project): ProjectView {
  const empty = { size: 0, get: () => undefined, oldestFirst: () => [], newestFirst: () => [] }
  const none = () => []
  return {
    project,
    repos: empty,
    contracts: empty,
    packets: empty,
    receipts: empty,
    repliesTo: none,
    packetsNaming: none,
    seqOf: () => undefined,
  }
}
