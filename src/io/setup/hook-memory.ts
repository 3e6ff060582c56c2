import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonIn } from '../../protocol/json/in.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { unlessThere } from '../system/code.ts'
import { exists } from '../system/exists.ts'

/**
 * What each session of a coding agent was shown last, in a small file for each session, so that sessions do not wait
 * for each other. Losing a file only means that something is shown again, so nothing is synced.
 */
const FOLDER = 'hooks'
const MOST_SESSIONS = 200
const FORGOTTEN_AT_ONCE = 50
const OWN_NAME = /^[0-9a-f]{32}\.json(?:\.\d+\.tmp)?$/

export function openHookMemory(
  dataDir: string,
  { client, sessionId }: { client: string; sessionId: string },
) {
  const folder = join(dataDir, FOLDER)
  const name = sha256(`${client} ${sessionId}`).slice(0, 32)
  const path = join(folder, `${name}.json`)
  return {
    read: async (): Promise<unknown> => jsonIn(await readFile(path, 'utf8').catch(() => '')),
    write: async (value: object): Promise<void> => {
      await mkdir(folder, { mode: 0o700 }).catch(unlessThere)
      // A cloned repository can contain a symbolic link here that points to files of the user.
      if (!(await lstat(folder)).isDirectory()) throw new Error(`${FOLDER} is not a folder of ours`)
      if (!(await exists(path))) await makeRoom(folder)
      const temporary = `${path}.${process.pid}.tmp`
      await writeFile(temporary, JSON.stringify(value), { mode: 0o600 })
      await rename(temporary, path)
    },
  }
}

/** Removes the files of the sessions that were shown something longest ago. */
async function makeRoom(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => OWN_NAME.test(name))
  if (names.length < MOST_SESSIONS) return
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 }
    }),
  )
  const oldest = files
    .toSorted((a, b) => a.at - b.at)
    .slice(0, names.length - MOST_SESSIONS + FORGOTTEN_AT_ONCE)
  await Promise.all(oldest.map(({ path }) => rm(path, { force: true })))
}
