import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** All that lies in a folder, apart from what git keeps there: names, modes, contents and where links lead. */
export async function folderState(root: string): Promise<Readonly<Record<string, string>>> {
  const state: Record<string, string> = {}
  const look = async (path: string): Promise<void> => {
    const found = await lstat(path)
    const name = relative(root, path)
    const mode = (found.mode & 0o777).toString(8)
    if (found.isSymbolicLink()) state[name] = `-> ${await readlink(path)}`
    else if (found.isFile()) state[name] = `${mode} ${await readFile(path, 'latin1')}`
    else {
      if (name !== '') state[`${name}/`] = mode
      for (const child of await readdir(path)) if (child !== '.git') await look(join(path, child))
    }
  }
  await look(root)
  return state
}
