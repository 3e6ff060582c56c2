import { recover } from '../journal/recover.ts'
import { snapshotFile } from '../snapshot/file.ts'
import { readIdent } from './first-start.ts'
import { layout as layoutOf } from './layout.ts'
import { nodeDisk } from './node-disk.ts'

/**
 * A running daemon writes, and may compact, while its store is being read, so a failed read is repeated; the same
 * failure several times in a row is real damage.
 */
const ATTEMPTS_WHILE_RUNNING = { most: 50, same: 4 }

/**
 * Reads all that a store holds and changes nothing; undefined where there is no store. Throws StoreDamagedError,
 * StoreTooNewError or StoreTooOldError when it could not be opened.
 */
export async function inspectStore(
  directory: string,
  { isDaemonRunning }: { isDaemonRunning: boolean },
): ReturnType<typeof inspectOnce> {
  let seen = { what: '', times: 0 }
  for (let look = 1; ; look++) {
    try {
      return await inspectOnce(directory)
    } catch (error) {
      const what = String(error)
      seen = { what, times: what === seen.what ? seen.times + 1 : 1 }
      if (
        !isDaemonRunning ||
        seen.times === ATTEMPTS_WHILE_RUNNING.same ||
        look === ATTEMPTS_WHILE_RUNNING.most
      )
        throw error
    }
  }
}

/**
 * `isTorn`: a crash cut the last write short; the next start moves that piece to a quarantine file. `setAside` are
 * such files of earlier starts.
 */
async function inspectOnce(directory: string) {
  const disk = nodeDisk
  const layout = layoutOf(directory)
  const ident = await readIdent(disk, layout)
  if (ident === undefined) return undefined
  const snapshots = snapshotFile(disk, layout.snapshot)
  let changes = 0
  const apply = () => void changes++
  const count = { apply, replay: apply, strip: () => {} }
  const { torn, unstarted } = await recover({ disk, layout, snapshots, storeId: ident.store_id }, count)
  const setAside = (await disk.list(directory)).filter((name) => name.startsWith('journal.damaged-'))
  return { changes, isTorn: torn !== undefined || unstarted?.isEmpty === false, setAside }
}
