import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashOf } from '../../protocol/json/canonical.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { replacePrivateFile } from './private-file.ts'

export interface TrustedPlace {
  readonly stateDir: string
  readonly dataDir: string
}

/**
 * What settings of a repository may do only if the operator has approved them: run a command, or open the daemon to
 * others.
 */
export type TrustedFor = 'agent' | 'opening'

const fileIn = (stateDir: string): string => join(stateDir, 'trusted.json')

const hashIn = (matter: TrustedFor, settings: object, { dataDir }: TrustedPlace): string =>
  hashOf([matter, dataDir, settings])

/**
 * Whether the operator approved exactly these settings on this machine with `cacpd config trust`. The approval is
 * stored outside of the repository, so that a cloned repository can neither bring it along nor change the settings
 * afterwards.
 */
export async function isTrusted(matter: TrustedFor, settings: object, place: TrustedPlace): Promise<boolean> {
  const known = (await trusted(place.stateDir))[place.dataDir]
  return isJsonObject(known) && known[matter] === hashIn(matter, settings, place)
}

export async function trust(matter: TrustedFor, settings: object, place: TrustedPlace): Promise<void> {
  const { stateDir, dataDir } = place
  const path = fileIn(stateDir)
  const all = await trusted(stateDir)
  const known = all[dataDir]
  const next = { ...(isJsonObject(known) ? known : {}), [matter]: hashIn(matter, settings, place) }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify({ ...all, [dataDir]: next }, null, 2)}\n`
  await replacePrivateFile(path, text, `${path}.${process.pid}.tmp`)
}

/** If the file cannot be read, nothing is trusted. */
async function trusted(stateDir: string): Promise<JsonObject> {
  const content = jsonIn(await readFile(fileIn(stateDir), 'utf8').catch(() => ''))
  return isJsonObject(content) ? content : {}
}
