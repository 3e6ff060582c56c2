import { access, chmod, constants, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { processStart } from '../runner/process-start.ts'

let asides = 0

/**
 * Where a text waits that is about to take its place. Git ignores it there, should a crash leave it; and whoever sets up
 * the same repository at the same time has another.
 */
export const newAside = (root: string): string => join(root, '.cacp', `setup.${process.pid}-${++asides}.tmp`)

const ASIDE = /^setup\b(?:\.(\d+)-)?.*\.tmp$/

/** Removes what processes left there that are gone, where that can be done. */
export async function sweepAsides(root: string): Promise<void> {
  const folder = join(root, '.cacp')
  for (const name of await readdir(folder).catch(() => [])) {
    const [isAside, pid] = ASIDE.exec(name) ?? []
    const isLeft =
      isAside !== undefined && (pid === undefined || (await processStart(Number(pid))) === undefined)
    if (isLeft) await rm(join(folder, name)).catch(() => {})
  }
}

/** Whoever looks sees the old text or the new one, also after a crash; the mode of the file stays. */
export async function writeText(root: string, target: string, text: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const mode = await modeOf(target)
  const temporary = newAside(root)
  try {
    await writeFile(temporary, text, { flag: 'wx', flush: true })
    if (mode !== undefined) await chmod(temporary, mode)
    await rename(temporary, target).catch(async (error: NodeJS.ErrnoException) => {
      // A folder that is another disk, as in a container.
      if (error.code !== 'EXDEV') throw error
      await writeFile(target, text, { flush: true })
    })
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Undefined where there is no file yet. One that is read-only is meant to stay as it is. */
async function modeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined) await access(path, constants.W_OK)
  return found && found.mode & 0o777
}
