import type { LocalPart, News } from '../stream/event.ts'

/** When an answer that is shown has to be asked for again. */
export interface Liveness {
  /** Changes of these kinds; default: of all. */
  readonly kinds?: readonly string[]
  /** Only changes of this project, or of this entity. */
  readonly projectId?: string | undefined
  readonly id?: string | undefined
  /** Parts of this daemon that are in no feed. */
  readonly local?: readonly LocalPart[]
  /** Also every so many seconds, while the tab is visible. */
  readonly everySeconds?: number
}

/** Whether an answer may be another one after this. */
export function isAbout({ changes, local, isEverything }: News, live: Liveness): boolean {
  if (isEverything) return true
  if (local.some((part) => live.local?.includes(part))) return true
  if (live.local !== undefined && live.kinds === undefined) return false
  return changes.some(
    ({ kind, projectId, id, isWide }) =>
      (live.projectId === undefined || live.projectId === projectId) &&
      (isWide ||
        ((live.kinds === undefined || live.kinds.includes(kind)) &&
          (live.id === undefined || live.id === id))),
  )
}
