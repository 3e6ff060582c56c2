import { isId } from '../../protocol/words.ts'
import type { Disk } from '../store/directory/disk.ts'
import type { StoreLog } from '../store/store-log.ts'
import { ifThere } from '../system/code.ts'

export interface FilesOptions {
  readonly directory: string
  readonly disk: Disk
  readonly log: StoreLog
}

/**
 * The ids that files with this ending are named by, sorted. The folder may be missing: it is made only when it is
 * needed, because a full disk must not prevent a start.
 */
export async function idsInFolder(disk: Disk, folder: string, ending: string): Promise<string[]> {
  const names = (await ifThere(disk.list(folder))) ?? []
  const ids = names.flatMap((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : []))
  return ids.filter(isId).sort()
}
