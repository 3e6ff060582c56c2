import type { Disk } from '../directory/disk.ts'
import type { Layout } from '../directory/layout.ts'
import { cutFile, writeNewFile } from '../directory/whole-file.ts'

/** The place of a damaged last frame. */
export interface Torn {
  readonly epoch: number
  readonly offset: number
}

/**
 * Moves a damaged last frame from its journal to a file of its own, for whoever wants to examine it. Returns the path
 * of that file.
 */
export async function quarantine(disk: Disk, layout: Layout, torn: Torn): Promise<string> {
  const path = layout.journal(torn.epoch)
  const copy = await freeName(disk, layout)
  try {
    await writeNewFile(disk, copy, disk.read(path, torn.offset))
  } catch (error) {
    await disk.remove(copy).catch(() => {}) // the first failure is the one to report
    throw error
  }
  await disk.syncDirectory(layout.directory)
  await cutFile(disk, path, torn.offset)
  return copy
}

/**
 * Removes the newest journal if a crash came before its opening frame was complete, because frames will go into the
 * one before it. Returns where its bytes are kept, if it had any.
 */
export async function removeUnstarted(
  disk: Disk,
  layout: Layout,
  unstarted: { readonly epoch: number; readonly isEmpty: boolean },
): Promise<string | undefined> {
  const path = layout.journal(unstarted.epoch)
  const copy = unstarted.isEmpty ? undefined : await freeName(disk, layout)
  if (copy === undefined) await disk.remove(path)
  else await disk.rename(path, copy)
  await disk.syncDirectory(layout.directory)
  return copy
}

async function freeName(disk: Disk, layout: Layout): Promise<string> {
  for (let number = 1; ; number++) {
    const path = layout.quarantine(number)
    if ((await disk.size(path)) === undefined) return path
  }
}
