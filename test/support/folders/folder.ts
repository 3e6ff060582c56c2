import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Folder extends AsyncDisposable {
  readonly path: string
  at(name: string): string
}

/** A folder of its own, with these files; a name that ends in `/` is an empty folder. */
export async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'cacpd-folder-')))
  for (const [name, content] of Object.entries(files)) {
    const target = join(path, name)
    await mkdir(name.endsWith('/') ? target : dirname(target), { recursive: true })
    if (!name.endsWith('/')) await writeFile(target, content)
  }
  return {
    path,
    at: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
