import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AgentSettings } from '../protocol/agent-settings.ts'
import { hashOf } from '../protocol/canonical.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/** Where the agent's command of one repository is looked up. */
export interface TrustedPlace {
  readonly stateDir: string
  readonly dataDir: string
}

const fileIn = (stateDir: string): string => join(stateDir, 'trusted-agents.json')

/** Whatever of the settings says what is run, and for whom. */
const hashOfAgent = (settings: AgentSettings, { dataDir }: TrustedPlace): string =>
  hashOf([dataDir, settings])

/**
 * Whether somebody allowed exactly these settings here with `cacpd config trust`. The answer lies outside of the
 * repository: a cloned one must not bring a command along, nor change it later.
 */
export async function isAgentTrusted(settings: AgentSettings, place: TrustedPlace): Promise<boolean> {
  return (await trusted(place.stateDir))[place.dataDir] === hashOfAgent(settings, place)
}

export async function trustAgent(settings: AgentSettings, place: TrustedPlace): Promise<void> {
  const path = fileIn(place.stateDir)
  const known = await trusted(place.stateDir)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const next = { ...known, [place.dataDir]: hashOfAgent(settings, place) }
  const temporary = `${path}.${process.pid}.tmp`
  await writeFile(temporary, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
  await rename(temporary, path)
}

async function trusted(stateDir: string): Promise<JsonObject> {
  try {
    const content: unknown = JSON.parse(await readFile(fileIn(stateDir), 'utf8'))
    return isJsonObject(content) ? content : {}
  } catch {
    // What cannot be read trusts nobody.
    return {}
  }
}
