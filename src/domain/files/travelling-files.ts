import { isAny } from '../../protocol/collections/iterables.ts'
import { type HubScope, travels } from '../hub/travelling.ts'
import type { View } from '../view.ts'

/** Whether this daemon has the file and said in a project that travels over the hub that it shares it. */
export const isSharedOnHub = (
  view: View,
  sha256: string,
  { ownKey, scope }: { ownKey: string; scope: HubScope },
): boolean =>
  view.fileSize(sha256) !== undefined &&
  isAny(
    view.projectsNaming(sha256),
    (found) =>
      travels(found, scope) &&
      isAny(
        found.packetsNaming(sha256),
        ({ key, reported_by }) => key === ownKey && reported_by === undefined,
      ),
  )

/** Whether a packet of a project that travels over the hub names the file. */
export const mayBeOnHub = (view: View, sha256: string, scope: HubScope): boolean =>
  isAny(view.projectsNaming(sha256), (found) => travels(found, scope))
