import { runningIn } from '../../io/background/ensure-daemon.ts'
import { type Place, placeOf } from '../../io/background/place.ts'
import { findDataDir } from '../../io/place/data-dir.ts'
import { findRoot } from '../../io/place/discover-repo.ts'
import { nextSteps } from '../output/next-steps.ts'
import { printable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

/** `cacpd` alone: shows the daemon of this repository, or starts one with what can be guessed. */
export async function firstRun(help: string, terminal: Terminal): Promise<void> {
  const place = await placeOf(terminal)
  noteAbove(place, terminal)
  if ((await runningIn(place.dataDir)) !== undefined) {
    await (await import('./look.ts')).showStatus({ data: place.dataDir }, terminal)
    terminal.print(`\n${nextSteps(terminal.self)}\n`)
    return
  }
  await assertMeant(help, terminal)
  await (await import('./start.ts')).startAt(place, {}, terminal)
}

/** Where a daemon would begin to keep state, somebody must have wanted one: not in whatever folder this is. */
async function assertMeant(help: string, { cwd, env, complain }: Terminal): Promise<void> {
  if (env['CACP_DATA'] || (await findRoot(cwd)).isRepository || (await findDataDir(cwd)) !== undefined) return
  complain(`${help}\n`)
  throw new UsageError(
    `${cwd} is not in a git repository, and holds no data directory of cacpd`,
    'Go to a repository, or run `git init` here; `cacpd start` starts a daemon also without one',
  )
}

/** Nobody should wonder why what they did in the folder around it is not there. */
export function noteAbove({ above, cwd }: Place, terminal: Terminal): void {
  if (above !== undefined)
    terminal.complain(
      `note: ${printable(above)} belongs to another daemon, of the folder around this repository; this one is for ${printable(cwd)}\n`,
    )
}
