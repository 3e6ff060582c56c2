import { isNamed } from '../../domain/files/shared-file.ts'
import { forgettingUploads } from '../../domain/files/upload.ts'
import { addMicros } from '../../protocol/stamp.ts'
import type { Parts } from '../parts.ts'
import type { Timers } from '../ports/ports.ts'
import { repeat } from '../timing/repeat.ts'
import type { FileRules } from './rules.ts'

type FileCollectorDeps = Pick<Parts, 'files' | 'store' | 'clock'> & Pick<FileRules, 'unnamedSeconds'>

const HOUR_SECONDS = 3600

/** Removes files that no packet names, from now on, at regular intervals. */
export function startCollectingFiles(timers: Timers, deps: FileCollectorDeps): AsyncDisposable {
  const millis = Math.min(deps.unnamedSeconds, HOUR_SECONDS) * 1000
  // If it fails, the next time may succeed.
  return repeat(timers, millis, () => collectFiles(deps).catch(() => {}))
}

export async function collectFiles(deps: FileCollectorDeps): Promise<void> {
  const { files, store, clock, unnamedSeconds } = deps
  const { view } = store
  const horizon = addMicros(clock.now(), -unnamedSeconds * 1_000_000)
  const recent = new Set<string>()
  for (const { sha256, at } of view.uploads.oldestFirst()) if (at >= horizon) recent.add(sha256)
  await files.removeUnless((sha256) => recent.has(sha256) || isNamed(view, sha256), horizon)
  await store.commit((now) => ({
    result: undefined,
    local: forgettingUploads(now, (sha256) => now.fileSize(sha256) === undefined && !recent.has(sha256)),
  }))
}
