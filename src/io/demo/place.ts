import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder in which a demo happens: whatever it makes is in there, and goes with it. */
export interface DemoPlace {
  readonly folder: string
  /** A git repository with these files; answers its folder. */
  addRepository(name: string, files: Readonly<Record<string, string>>): Promise<string>
  /** At once, so that it can also be done when the process is about to end. */
  remove(): void
}

export async function openDemoPlace(): Promise<DemoPlace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'cacpd-demo-')))
  return {
    folder,
    addRepository: async (name, files) => {
      const root = join(folder, name)
      await writeFiles(root, { ...GIT_FILES, ...files })
      for (const empty of ['objects', 'refs']) await mkdir(join(root, '.git', empty), { recursive: true })
      return root
    },
    // A daemon that is still ending may put a last file there while we clear up.
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  }
}

/** The least that git takes for a repository: so it need not be installed, and no template of the user's gets in. */
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
