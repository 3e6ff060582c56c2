import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder of a demo: everything it makes is in there, and is removed with it. */
export async function openDemoPlace() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'cacpd-demo-')))
  return {
    folder,
    /** Makes a git repository with these files; returns its folder. */
    addRepository: async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
      const root = join(folder, name)
      await writeFiles(root, { ...GIT_FILES, ...files })
      for (const empty of ['objects', 'refs']) await mkdir(join(root, '.git', empty), { recursive: true })
      return root
    },
    /**
     * Synchronous, so that it can also be called when the process is about to end. A daemon that is still stopping may
     * write a last file during the removal.
     */
    remove: (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  }
}

/**
 * The minimum that git accepts as a repository, so that git need not be installed and templates of the user do not
 * matter.
 */
const GIT_FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
}

export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}
