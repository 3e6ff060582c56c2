import { findRunningDaemon } from '../../io/background/ensure-daemon.ts'
import { type Place, placeOf } from '../../io/background/place.ts'
import { findDataDir } from '../../io/place/data-dir.ts'
import { findRoot } from '../../io/place/discover-repo.ts'
import { command } from '../form/command.ts'
import { nextSteps } from '../output/next-steps.ts'
import { printable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { rootHelp } from '../program/root-help.ts'

/** What `cacpd` alone does: shows the daemon of this repository, or starts one with what can be guessed. */
export const firstRun = command({
  about: 'show the daemon of this repository, or start it',
  isCommon: false,
  run: async (_, terminal) => {
    const place = await placeHere(terminal)
    if ((await findRunningDaemon(place.dataDir)) !== undefined) {
      await (await import('./status.ts')).showStatus({ data: place.dataDir }, terminal)
      terminal.print(`\n${nextSteps(terminal.self)}\n`)
      return
    }
    await assertMeant(terminal)
    await (await import('./start.ts')).startAt(place, {}, terminal)
  },
})

/** Refuses to start a daemon in a folder that is neither a repository nor has a data directory. */
async function assertMeant(terminal: Terminal): Promise<void> {
  const { cwd, env, complain } = terminal
  if (env['CACP_DATA'] || (await findRoot(cwd)).isRepository || (await findDataDir(cwd)) !== undefined) return
  complain(`${rootHelp(terminal)}\n`)
  throw new UsageError(
    `${cwd} is not in a git repository, and holds no data directory of cacpd`,
    'Go to a repository, or run `git init` here; `cacpd start` starts a daemon also without one',
  )
}

/**
 * Where the daemon of this repository is or will be. Explains why work done with the daemon of the folder around it is
 * not found here.
 */
export async function placeHere({ cwd, env, complain }: Terminal, dataDir?: string): Promise<Place> {
  const place = await placeOf({ cwd, env, dataDir })
  if (place.above !== undefined)
    complain(
      `note: ${printable(place.above)} belongs to another daemon, of the folder around this repository; this one is for ${printable(place.cwd)}\n`,
    )
  return place
}
