import { access, constants, readdir, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig, unknownVariables } from '../../config/config.ts'
import { UNTRUSTED_COMMAND } from '../../domain/person/tasks.ts'
import { readIdentityFile } from '../../io/identity/file.ts'
import { isReadableByOthers } from '../../io/identity/private-file.ts'
import { isTrusted } from '../../io/identity/trusted.ts'
import { readOperatorKey } from '../../io/place/data-dir.ts'
import { findRoot } from '../../io/place/discover-repo.ts'
import { assertStoreNotLost } from '../../io/place/remembered-store.ts'
import { inspectStore } from '../../io/store/directory/inspect-store.ts'
import { isOwnDirectory } from '../../io/store/directory/layout.ts'
import { nodeDisk } from '../../io/store/directory/node-disk.ts'
import { assertNoSymbolicLinks } from '../../io/store/directory/symbolic-links.ts'
import { inWords } from '../../io/store/store-errors.ts'
import { hasCommand } from '../../protocol/agent/settings.ts'
import { type Diagnosis, failed, findingsOf, type Patient } from './diagnosis.ts'

const MIB = 1024 * 1024
const LEAST_FREE_BYTES = 64 * MIB

export async function checkRepository({ place, terminal }: Patient): Promise<Diagnosis[]> {
  const { ok, note } = findingsOf('repository')
  const { root, isRepository } = await findRoot(place.cwd)
  const found = isRepository
    ? ok(root)
    : note(
        `${terminal.cwd} is not in a git repository, so its name is that of the folder`,
        'Run `git init`, if it should be one',
      )
  if (place.above === undefined) return [found]
  const above = `${place.above} belongs to another daemon, of the folder around this repository`
  return [found, note(above, 'Name it with --data if that is the one you mean')]
}

export async function checkSettings({ place, terminal }: Patient): Promise<Diagnosis[]> {
  const check = 'settings'
  const { ok, note, wrong } = findingsOf(check)
  const { env } = terminal
  const found: Diagnosis[] = unknownVariables(env).map(({ name, closest }) =>
    note(`${name} in the environment is no setting`, `The closest one is ${closest}`),
  )
  try {
    const config = await loadConfig({ flags: { data: place.dataDir }, env, cwd: place.cwd })
    if (hasCommand(config.agent) && !(await isTrusted('agent', config.agent, config)))
      found.push(wrong(UNTRUSTED_COMMAND.message, UNTRUSTED_COMMAND.fix))
    const { repo, role, language } = config
    return found.length > 0 ? found : [ok(`${repo}, ${role}, ${language}`)]
  } catch (error) {
    const fix = `Correct it in ${join(place.dataDir, 'config.json')} or where it is set`
    return [...found, { fix, ...failed(check, error), preventsStart: true }]
  }
}

export async function checkDataDirectory({ place: { dataDir, cwd } }: Patient): Promise<Diagnosis[]> {
  const check = 'data directory'
  const { ok, note, wrong } = findingsOf(check)
  try {
    await assertStoreNotLost({ root: (await findRoot(cwd)).root, dataDir })
  } catch (error) {
    return [{ ...failed(check, error), preventsStart: true }]
  }
  const mode = await stat(dataDir).catch(() => undefined)
  if (mode === undefined)
    return [note(`There is none yet at ${dataDir}`, 'The first start makes it: `cacpd up -d`')]
  const found: Diagnosis[] = []
  try {
    const names = await readdir(dataDir)
    await access(dataDir, constants.W_OK)
    await assertNoSymbolicLinks(dataDir)
    if (isReadableByOthers(mode) && isOwnDirectory(names))
      found.push({
        ...wrong(`Other users can look into ${dataDir}`, `chmod 700 ${dataDir}`),
        repair: async () => {
          await nodeDisk.makePrivate(dataDir)
          return `Only its owner can look into ${dataDir} now`
        },
      })
    if (!names.includes('.gitignore')) found.push(withoutGitignore(dataDir))
    found.push(...(await checkSecrets(dataDir, names)), ...(await checkDisk(dataDir)))
  } catch (error) {
    return [{ ...failed(check, inWords(error, dataDir)), preventsStart: true }]
  }
  return found.length > 0 ? found : [ok(dataDir)]
}

const withoutGitignore = (dataDir: string): Diagnosis => ({
  ...findingsOf('data directory').wrong(
    `Nothing keeps git from taking in ${dataDir}, with its keys`,
    `Put a line with * into ${join(dataDir, '.gitignore')}`,
  ),
  repair: async () => {
    await writeFile(join(dataDir, '.gitignore'), '*\n', { flag: 'wx' })
    return `Git ignores ${dataDir} now`
  },
})

/** A key that others could read is no secret any more, so setting its mode right would not help. */
async function checkSecrets(dataDir: string, names: readonly string[]): Promise<Diagnosis[]> {
  const secrets = [
    ['operator.key', readOperatorKey],
    ['identity.json', readIdentityFile],
  ] as const
  const found: Diagnosis[] = []
  for (const [name, read] of secrets) {
    if (!names.includes(name)) continue
    try {
      await read(dataDir)
    } catch (error) {
      found.push({ ...failed('data directory', error), preventsStart: true })
    }
  }
  return found
}

async function checkDisk(dataDir: string): Promise<Diagnosis[]> {
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize >= LEAST_FREE_BYTES) return []
  return [
    findingsOf('data directory').wrong(
      `Only ${Math.floor((bavail * bsize) / MIB)} MiB are free on the disk of ${dataDir}`,
      'Free some space: a daemon with a full disk can be read, but takes nothing in',
    ),
  ]
}

/** Reads everything, also while the daemon is at work, and changes nothing. */
export async function checkJournal({ place, daemon }: Patient): Promise<Diagnosis[]> {
  const check = 'journal'
  const { ok, note } = findingsOf(check)
  const isDaemonRunning = daemon !== undefined
  const signs = await inspectStore(place.dataDir, { isDaemonRunning }).catch(
    (error: unknown): Diagnosis => ({ ...failed(check, error), preventsStart: true }),
  )
  if (signs === undefined) return []
  if ('verdict' in signs) return [signs]
  const { changes, isTorn, setAside } = signs
  const found: Diagnosis[] = []
  if (isTorn && !isDaemonRunning)
    found.push(
      note(
        'A crash cut the last write short; nothing that was acknowledged is in that piece',
        'The next start sets it aside: `cacpd up -d`',
      ),
    )
  if (setAside.length > 0)
    found.push(
      note(
        `Pieces that crashes cut short were set aside: ${setAside.join(', ')}`,
        `Remove them from ${place.dataDir} if nobody wants to look at them`,
      ),
    )
  return found.length > 0 ? found : [ok(`Whole, with ${changes} entries`)]
}
