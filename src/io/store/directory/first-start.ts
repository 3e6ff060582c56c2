import { basename } from 'node:path'
import * as z from 'zod'
import type { Clock } from '../../../engine/ports/ports.ts'
import { jsonIn } from '../../../protocol/json/in.ts'
import { openingFrame } from '../journal/frame.ts'
import type { RecoverDeps } from '../journal/recover.ts'
import type { SnapshotFile } from '../snapshot/file.ts'
import { assertFormat, FORMAT } from '../snapshot/snapshot.ts'
import { directoryInUse, StoreDamagedError } from '../store-errors.ts'
import type { Disk } from './disk.ts'
import { isOwnDirectory, journalEpochs, type Layout } from './layout.ts'
import { readText, replaceFile, writeNewFile } from './whole-file.ts'

/** Its presence says that there is a store here, so that a lost snapshot is never mistaken for a first start. */
const Ident = z.object({ format: z.int(), store_id: z.string().min(1), created: z.string() })
export type Ident = z.infer<typeof Ident>

export async function readIdent(disk: Disk, { ident: path }: Layout): Promise<Ident | undefined> {
  if ((await disk.size(path)) === undefined) return undefined
  const ident = Ident.safeParse(jsonIn(await readText(disk, path)))
  if (!ident.success) throw new StoreDamagedError(path, 0, 'it does not say which store this is')
  assertFormat(path, ident.data.format)
  return ident.data
}

interface FirstStartDeps extends Pick<RecoverDeps, 'disk' | 'layout' | 'snapshots'> {
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
