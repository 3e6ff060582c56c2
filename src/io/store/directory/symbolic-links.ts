import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DataDirError } from '../../place/data-dir.ts'

/** These may be symbolic links, because they are only read or replaced as a whole: people may keep them elsewhere. */
const MAY_BE_LINKS = new Set(['.gitignore', 'config.json', 'operator.key', 'identity.json', 'tls.pem'])

/**
 * A cloned repository can contain a data directory with symbolic links in it. A daemon that followed them would write
 * to, or delete, whatever they point to in the home directory of the user.
 */
export async function assertNoSymbolicLinks(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true })
  const link = entries.find((entry) => entry.isSymbolicLink() && !MAY_BE_LINKS.has(entry.name))
  if (link === undefined) return
  throw new DataDirError(
    `${join(directory, link.name)} is a link, and a daemon writes only to files of its own`,
    'Remove it; if it came with the repository, somebody may mean harm. Or choose another directory with --data',
  )
}
