import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replacePrivateFile } from '../io/identity/private-file.ts'
import { isTrusted, trust } from '../io/identity/trusted.ts'
import { Fault } from '../protocol/fault.ts'
import type { HubSettings } from '../protocol/hub-settings.ts'
import { type Config, openingIn, readConfigFile } from './config.ts'

/**
 * Writes the hub into the settings of the repository for the next start, and trusts it there: whoever calls this has
 * decided on it. Whatever else is in the file and was not trusted stays so.
 */
export async function saveHub(
  { file, overruled, dataDir, stateDir }: Pick<Config, 'file' | 'overruled' | 'dataDir' | 'stateDir'>,
  hub: HubSettings | null,
): Promise<void> {
  if (overruled.includes('hub'))
    throw new Fault('conflict', 'A variable or a flag of this daemon says which hub it uses', {
      next: 'Change CACP_HUB where the daemon is started, or start it without',
    })
  const place = { dataDir, stateDir }
  const all = await readConfigFile(file)
  const { hub: _, ...others } = all
  const before = openingIn(all)
  const isKnown =
    file.isNamed || Object.keys(before).length === 0 || (await isTrusted('opening', before, place))
  if (!isKnown)
    throw new Fault('conflict', `${file.path} lets others in, which nobody has allowed on this machine`, {
      next: 'Look at it and allow it with `cacpd config trust`, or take it out',
    })
  const next = hub === null ? others : { ...others, hub }
  const target = await realpath(file.path).catch(() => file.path)
  await mkdir(dirname(target), { recursive: true })
  await replacePrivateFile(target, `${JSON.stringify(next, null, 2)}\n`)
  const opening = openingIn(next)
  if (!file.isNamed && Object.keys(opening).length > 0) await trust('opening', opening, place)
}
