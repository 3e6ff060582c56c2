import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonIn } from '../../protocol/json/in.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { readSmallFile, replacePrivateFile } from '../identity/private-file.ts'
import { readEndpoint } from '../place/data-dir.ts'
import type { FoundDaemon } from '../place/find-daemon.ts'
import { isAlive } from '../runner/process-start.ts'

/**
 * Which daemons of this user run at this machine. Each has a file of its own with the path of its data directory, so
 * that no two write the same; whether it still runs is known from what is there.
 */

/** Of more than these the rest is not looked at. */
const MOST = 500

const folderIn = (stateDir: string): string => join(stateDir, 'daemons')

const fileOf = (stateDir: string, dataDir: string): string =>
  join(folderIn(stateDir), `${sha256(dataDir).slice(0, 16)}.json`)

export async function rememberRunning(stateDir: string, dataDir: string): Promise<void> {
  await mkdir(folderIn(stateDir), { recursive: true, mode: 0o700 })
  await replacePrivateFile(fileOf(stateDir, dataDir), `${JSON.stringify({ dataDir })}\n`)
}

export const forgetRunning = (stateDir: string, dataDir: string): Promise<void> =>
  rm(fileOf(stateDir, dataDir), { force: true })

export type RunningDaemon = Pick<FoundDaemon, 'dataDir' | 'endpoint'>

/** Those that run now, by the name of their repository. */
export async function runningDaemons(stateDir: string): Promise<RunningDaemon[]> {
  const names = await readdir(folderIn(stateDir)).catch(() => [])
  const found: RunningDaemon[] = []
  for (const name of names.filter((one) => one.endsWith('.json')).slice(0, MOST)) {
    const kept = jsonIn(await readSmallFile(join(folderIn(stateDir), name)).catch(() => ''))
    const { dataDir } = Object(kept) as { dataDir?: unknown }
    if (typeof dataDir !== 'string') continue
    // A folder that is gone, or of somebody else by now, has no daemon of ours.
    const endpoint = await readEndpoint(dataDir).catch(() => undefined)
    if (endpoint !== undefined && (await isAlive(endpoint))) found.push({ dataDir, endpoint })
  }
  return found.sort((one, other) => one.endpoint.repo.localeCompare(other.endpoint.repo))
}
