import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk extends Disposable {
  readonly path: string
  /** Takes all the room that is left. */
  fill(): void
  /** Gives that room back. */
  free(): void
}

/** A file system in memory, of a few megabytes: a disk that can really be full. */
export function smallDisk(mebibytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'cacpd-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'cacpd-test', path])
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      for (let bytes = 64 * 1024; bytes >= 1; )
        try {
          appendFileSync(filler, Buffer.alloc(bytes))
        } catch {
          bytes /= 2
        }
    },
    free: () => rmSync(filler),
    [Symbol.dispose]() {
      // Whatever still has a file open there must not keep it for ever.
      execFileSync('umount', ['--lazy', path])
      rmdirSync(path)
    },
  }
}

/** It needs Linux, `mount` and the right to use it. */
export const hasSmallDisks: boolean = canMount()

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const path = mkdtempSync(join(tmpdir(), 'cacpd-disk-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'cacpd-test', path]).status === 0
  if (isMounted) spawnSync('umount', [path])
  rmdirSync(path)
  return isMounted
}
