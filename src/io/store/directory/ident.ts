import * as z from 'zod'
import { jsonIn } from '../../../protocol/json/in.ts'
import { assertFormat } from '../snapshot/snapshot.ts'
import { StoreDamagedError } from '../store-errors.ts'
import type { Disk } from './disk.ts'
import type { Layout } from './layout.ts'
import { readText } from './whole-file.ts'

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
