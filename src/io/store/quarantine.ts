import type { Disk } from './disk.ts'
import type { Layout } from './layout.ts'
import { writeNewFile } from './replace-file.ts'

/** Cuts a damaged last frame off its journal, and keeps it aside for whoever wants to look. Returns where. */
export async function quarantine(
  disk: Disk,
  layout: Layout,
  torn: { readonly epoch: number; readonly offset: number },
): Promise<string> {
  const path = layout.journal(torn.epoch)
  const aside = await freeName(disk, layout)
  await writeNewFile(disk, aside, disk.read(path, torn.offset))
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

async function freeName(disk: Disk, layout: Layout): Promise<string> {
  for (let number = 1; ; number++) {
    const path = layout.quarantine(number)
    if ((await disk.size(path)) === undefined) return path
  }
}
