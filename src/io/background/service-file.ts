import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '../../protocol/text/sha256.ts'
import { isOurs, launchdPlist, madeFor, type Service, systemdUnit } from '../../setup/service/unit.ts'
import { DataDirError } from '../place/data-dir.ts'
import { nodeDisk } from '../store/directory/node-disk.ts'
import { exists } from '../system/exists.ts'

export type Manager = 'systemd' | 'launchd'

export interface ServiceOptions {
  readonly manager: Manager
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly dataDir: string
  readonly cwd: string
  readonly command: readonly string[]
  readonly log: string
}

export interface ServiceFile {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly change: 'written' | 'replaced' | 'as it was'
}

export async function planService(options: ServiceOptions): Promise<ServiceFile> {
  const { name, path } = fileOf(options)
  const before = await ownText(path)
  const made = before === undefined ? await missingFolders(dirname(path)) : madeFor(before)
  const { command, cwd, log, env } = options
  const service: Service = { name, command, cwd, log, made, path: env['PATH'] ?? '' }
  if ([cwd, log, service.path, ...command].some((word) => /\p{Cc}/u.test(word)))
    throw new DataDirError(
      `A service manager cannot be told of ${JSON.stringify(cwd)}`,
      'Rename the folder so that it has no control character, such as a line break, in its name',
    )
  const text = options.manager === 'launchd' ? launchdPlist(service) : systemdUnit(service)
  return {
    name,
    path,
    text,
    change: before === undefined ? 'written' : before === text ? 'as it was' : 'replaced',
  }
}

export async function installService(options: ServiceOptions): Promise<ServiceFile> {
  const plan = await planService(options)
  if (plan.change === 'as it was') return plan
  try {
    await mkdir(dirname(plan.path), { recursive: true })
    await writeFile(plan.path, plan.text)
    // Without a folder for the log, launchd does not start the service.
    if (options.manager === 'launchd') await nodeDisk.makeDirectory(options.dataDir)
  } catch (error) {
    throw new DataDirError(
      `${plan.path} cannot be written (${(error as NodeJS.ErrnoException).code})`,
      'See what would be written with --dry-run and put it where it can be; or use `cacpd up -d`, which needs no service',
      error,
    )
  }
  return plan
}

/** Removes the file and the folders that were made for it. Returns its path; undefined where there was none. */
export async function removeService(options: ServiceOptions): Promise<string | undefined> {
  const { name, path } = fileOf(options)
  const text = await ownText(path)
  if (text === undefined) return undefined
  const whenEnabled = join(dirname(path), 'default.target.wants', basename(path))
  if (options.manager === 'systemd' && (await exists(whenEnabled)))
    throw new DataDirError(
      `The service ${name} is still enabled`,
      `Run \`systemctl --user disable --now ${name}\` first`,
    )
  await rm(path)
  // Only folders that are empty and contain the path of the file.
  for (const folder of madeFor(text)) if (path.startsWith(`${folder}/`)) await rmdir(folder).catch(() => {})
  if (options.manager === 'launchd') await rmdir(options.dataDir).catch(() => {})
  return path
}

/** The name shows the repository to people; its hash identifies the data directory. */
export function fileOf({ manager, env, home, dataDir, cwd }: ServiceOptions) {
  const slug = basename(cwd)
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 40)
  const name = `cacpd-${slug}-${sha256(dataDir).slice(0, 8)}`
  if (manager === 'launchd') return { name, path: join(home, 'Library', 'LaunchAgents', `${name}.plist`) }
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  return { name, path: join(config, 'systemd', 'user', `${name}.service`) }
}

/** Undefined where there is no file. Throws for a file that somebody else wrote. */
async function ownText(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new DataDirError(
      `${path} cannot be read (${error.code})`,
      'See that it belongs to this user',
      error,
    )
  })
  if (text === undefined || isOurs(text)) return text
  throw new DataDirError(
    `${path} was not written by cacpd, and stays as it is`,
    'Move it away, or use `cacpd up -d`, which needs no service',
  )
}

/** Innermost first. */
async function missingFolders(folder: string): Promise<string[]> {
  const missing: string[] = []
  for (let at = folder; !(await exists(at)) && at !== dirname(at); at = dirname(at)) missing.push(at)
  return missing
}
