import { access, chmod, constants, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { processStart } from '../runner/process-start.ts'

let temporaries = 0

/**
 * A temporary file for a text that will replace another file. It lies where git ignores it, should a crash leave it;
 * and every process has its own, because several may set up the same repository at the same time.
 */
export const newTemporaryPath = (root: string): string =>
  join(root, '.cacp', `setup.${process.pid}-${++temporaries}.tmp`)

const TEMPORARY = /^setup\b(?:\.(\d+)-)?.*\.tmp$/

/** Removes the temporary files of processes that have ended, where possible. */
export async function removeStaleTemporaries(root: string): Promise<void> {
  const folder = join(root, '.cacp')
  for (const name of await readdir(folder).catch(() => [])) {
    const [isTemporary, pid] = TEMPORARY.exec(name) ?? []
    const isLeft =
      isTemporary !== undefined && (pid === undefined || (await processStart(Number(pid))) === undefined)
    if (isLeft) await rm(join(folder, name)).catch(() => {})
  }
}

/** A reader sees the old text or the new one, also after a crash; the mode of the file stays. */
export async function writeText(root: string, target: string, text: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const mode = await modeOf(target)
  const temporary = newTemporaryPath(root)
  try {
    await writeFile(temporary, text, { flag: 'wx', flush: true })
    if (mode !== undefined) await chmod(temporary, mode)
    await rename(temporary, target).catch(async (error: NodeJS.ErrnoException) => {
      // The folder is on another disk, as it can be in a container.
      if (error.code !== 'EXDEV') throw error
      await writeFile(target, text, { flush: true })
    })
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Undefined where there is no file yet. Throws for a read-only file, because it is meant to stay as it is. */
async function modeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined) await access(path, constants.W_OK)
  return found && found.mode & 0o777
}
