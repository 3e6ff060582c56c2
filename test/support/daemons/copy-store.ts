import { cp } from 'node:fs/promises'
import { basename } from 'node:path'

/** Copies a data directory, also of a running daemon, as a backup does: without what says who uses it now. */
export const copyStore = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, filter: (path) => !basename(path).startsWith('lock') })
