import { access, constants, realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { LAUNCHER } from '../../launcher.ts'
import type { Command } from '../../setup/recognise.ts'

export type Env = Readonly<Record<string, string | undefined>>

/**
 * The command that runs this very program, from any folder and without a shell, for settings of agents, hooks and
 * service files: `cacpd` if that is this program, otherwise node with the path of it. Never `npx` with the name of a
 * package, which somebody else may own.
 */
export async function ownCommand(env: Env, launcher: string = LAUNCHER): Promise<Command> {
  const found = await onPath('cacpd', env)
  if (found !== undefined && (await isSameFile(found, launcher))) return { command: 'cacpd', args: [] }
  return { command: process.execPath, args: [launcher] }
}

/** The environment without the settings of a daemon, which are not passed on. */
export const withoutOwnVariables = (env: Env): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CACP_')))

/** The first executable of that name, as a shell would find it. */
export async function onPath(name: string, env: Env) {
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(isLasting)) {
    const path = join(folder, name)
    if (await isExecutable(path)) return path
  }
  return undefined
}

/** Leaves out the folders that npm and npx add to the path of what they run, because nobody else has them there. */
const isLasting = (folder: string): boolean =>
  isAbsolute(folder) && !(basename(folder) === '.bin' && basename(dirname(folder)) === 'node_modules')

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)))
  return a !== undefined && a === b
}
