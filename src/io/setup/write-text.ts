import { access, chmod, constants, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where a text waits that is about to take its place. Git ignores it there, should a crash leave it. */
const temporaryIn = (root: string): string => join(root, '.cacp', 'setup.tmp')

/** Whoever looks sees the old text or the new one, also after a crash; the mode of the file stays. */
export async function writeText(root: string, target: string, text: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const mode = await modeOf(target)
  const temporary = temporaryIn(root)
  await rm(temporary, { force: true })
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
