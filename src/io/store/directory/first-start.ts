import { basename } from 'node:path'
import type { Clock } from '../../../engine/ports/ports.ts'
import { openingFrame } from '../journal/frame.ts'
import type { SnapshotFile } from '../snapshot/file.ts'
import { FORMAT } from '../snapshot/snapshot.ts'
import { directoryInUse, StoreDamagedError } from '../store-errors.ts'
import type { Disk } from './disk.ts'
import type { Ident } from './ident.ts'
import { isOwnDirectory, journalEpochs, type Layout } from './layout.ts'
import { replaceFile, writeNewFile } from './whole-file.ts'

export interface FirstStartDeps {
  readonly disk: Disk
  readonly layout: Layout
  readonly snapshots: SnapshotFile
  readonly clock: Clock
}

/** Makes the files of an empty store; when that fails, removes them again. */
export async function layOutStore(deps: FirstStartDeps): Promise<Ident> {
  const { disk, layout, snapshots, clock } = deps
  await assertNothingToLose(disk, layout, snapshots)
  const ident = { format: FORMAT, store_id: clock.newId(), created: clock.now() }
  const found = new Set(await disk.list(layout.directory))
  if (!isOwnDirectory([...found])) throw directoryInUse(layout.directory)
  try {
    await layOut(deps, ident)
    return ident
  } catch (error) {
    await clearAway(deps, found).catch(() => {}) // the first failure is the one to report
    throw error
  }
}

/** IDENT is written last: until it exists, a start after a crash begins from scratch. */
async function layOut({ disk, layout, snapshots }: FirstStartDeps, ident: Ident): Promise<void> {
  await disk.makeDirectory(layout.files)
  if ((await disk.size(layout.gitignore)) === undefined) {
    await replaceFile(disk, layout.gitignore, [Buffer.from('*\n')])
  }
  await disk.remove(layout.journal(1))
  await writeNewFile(disk, layout.journal(1), [openingFrame(ident.store_id, 1, 1).bytes])
  await snapshots.write({ store_id: ident.store_id, epoch: 1, frame: 0, seq: 0, entities: [], local: [] })
  await replaceFile(disk, layout.ident, [Buffer.from(`${JSON.stringify(ident)}\n`)])
}

/** Does nothing once IDENT exists: then everything is in place and the next start finds a store. */
async function clearAway({ disk, layout }: FirstStartDeps, found: ReadonlySet<string>): Promise<void> {
  if ((await disk.size(layout.ident)) !== undefined) return
  for (const path of [layout.snapshot, layout.journal(1), layout.gitignore]) {
    if (!found.has(basename(path))) await disk.remove(path)
  }
  if (!found.has(basename(layout.files))) await disk.removeDirectory(layout.files)
}

/** Whatever a crash did, a journal into which no entry was written is not larger than this. */
const OPENING_BYTES = openingFrame('', 1, 1).bytes.length

/** Files without IDENT come from an interrupted first start, unless something was stored in them. */
async function assertNothingToLose(disk: Disk, layout: Layout, snapshots: SnapshotFile): Promise<void> {
  const identIsGone = (file: string) =>
    new StoreDamagedError(file, 0, 'it belongs to a store, but the file IDENT beside it is missing')
  for (const epoch of journalEpochs(await disk.list(layout.directory))) {
    const bytes = (await disk.size(layout.journal(epoch))) ?? 0
    if (epoch > 1 || bytes > OPENING_BYTES) throw identIsGone(layout.journal(epoch))
  }
  if ((await disk.size(layout.snapshot)) === undefined) return
  if ((await snapshots.read()).frame > 0) throw identIsGone(layout.snapshot)
}
