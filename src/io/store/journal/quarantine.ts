import type { Disk } from '../directory/disk.ts'
import type { Layout } from '../directory/layout.ts'
import { writeNewFile } from '../snapshot/replace-file.ts'

/** Where a journal's last frame is damaged. */
export interface Torn {
  readonly epoch: number
  readonly offset: number
}

/** Cuts a damaged last frame off its journal, and keeps it aside for whoever wants to look. Returns where. */
export async function quarantine(disk: Disk, layout: Layout, torn: Torn): Promise<string> {
  const path = layout.journal(torn.epoch)
  const aside = await freeName(disk, layout)
  try {
    await writeNewFile(disk, aside, disk.read(path, torn.offset))
  } catch (error) {
    await disk.remove(aside).catch(() => {}) // the first failure is the one to tell
    throw error
  }
  await disk.syncDirectory(layout.directory)
  const file = await disk.open(path)
  try {
    await file.truncate(torn.offset)
    await file.sync()
  } finally {
    await file.close()
  }
  return aside
}

/** Takes a journal that never began out of the way, before frames go into the one before it. Returns where it is kept. */
export async function dropUnbegun(
  disk: Disk,
  layout: Layout,
  unbegun: { readonly epoch: number; readonly isEmpty: boolean },
): Promise<string | undefined> {
  const path = layout.journal(unbegun.epoch)
  const aside = unbegun.isEmpty ? undefined : await freeName(disk, layout)
  if (aside === undefined) await disk.remove(path)
  else await disk.rename(path, aside)
  await disk.syncDirectory(layout.directory)
  return aside
}

async function freeName(disk: Disk, layout: Layout): Promise<string> {
  for (let number = 1; ; number++) {
    const path = layout.quarantine(number)
    if ((await disk.size(path)) === undefined) return path
  }
}
