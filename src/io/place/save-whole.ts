import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

/** What is at the path stays as it was until all of the new file is there. */
export async function saveWhole(path: string, content: string | Uint8Array): Promise<void> {
  const part = `${path}.${randomUUID()}.part`
  try {
    await writeFile(part, content, { flag: 'wx' })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw new Error(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
