import { recover } from '../journal/recover.ts'
import { SnapshotFile } from '../snapshot/file.ts'
import { readIdent } from './ident.ts'
import { layout as layoutOf } from './layout.ts'
import { nodeDisk } from './node-disk.ts'

export interface StoreSigns {
  readonly changes: number
  /** A crash cut the last write short; the next start takes that piece away. */
  readonly isTorn: boolean
  /** Pieces that earlier starts took away. */
  readonly setAside: readonly string[]
}

/** A daemon that is at work writes, and may compact, while it is looked at; what is really damaged stays as it is. */
const LOOKS_AT_WORK = { most: 50, alike: 4 }

/**
 * Reads all that a store holds, and changes nothing; undefined where there is none. Throws StoreDamagedError or
 * StoreTooNewError or StoreTooOldError when it could not be opened.
 */
export async function inspectStore(
  directory: string,
  { isAtWork }: { isAtWork: boolean },
): Promise<StoreSigns | undefined> {
  let seen = { what: '', times: 0 }
  for (let look = 1; ; look++) {
    try {
      return await inspectOnce(directory)
    } catch (error) {
      const what = String(error)
      seen = { what, times: what === seen.what ? seen.times + 1 : 1 }
      if (!isAtWork || seen.times === LOOKS_AT_WORK.alike || look === LOOKS_AT_WORK.most) throw error
    }
  }
}

async function inspectOnce(directory: string): Promise<StoreSigns | undefined> {
  const disk = nodeDisk
  const layout = layoutOf(directory)
  const ident = await readIdent(disk, layout)
  if (ident === undefined) return undefined
  const snapshots = new SnapshotFile(disk, layout.snapshot)
  let changes = 0
  const apply = () => void changes++
  const count = { apply, replay: apply, strip: () => {} }
  const { torn, unbegun } = await recover({ disk, layout, snapshots, storeId: ident.store_id }, count)
  const setAside = (await disk.list(directory)).filter((name) => name.startsWith('journal.damaged-'))
  return { changes, isTorn: torn !== undefined || unbegun?.isEmpty === false, setAside }
}
