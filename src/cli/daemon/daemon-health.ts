import type { Health } from '../../client.ts'
import type { Renamed } from '../../config/config.ts'
import { DataDirError } from '../../io/place/data-dir.ts'
import type { FoundDaemon } from '../../io/place/find-daemon.ts'
import { VERSION } from '../../version.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'

/** A daemon of this machine that takes longer hangs. */
export const ANSWER_MILLIS = 5000

export const RESTART = 'Start it anew: `cacpd down`, then `cacpd up -d`'

export const notAnswering = ({ endpoint }: FoundDaemon): string =>
  `The daemon runs as process ${endpoint.pid}, but does not answer at ${endpoint.url}`

/** It runs, but somebody should look after it. */
export function warnIfDegraded({ status, reason, next }: Health, { complain }: Terminal): void {
  if (status !== 'healthy') complain(`warning: ${reason}\nnext: ${next}\n`)
}

/** What runs is not what is installed now. */
export function warnIfOther({ version = VERSION }: Health, { complain }: Terminal): void {
  if (version !== VERSION) complain(`warning: ${otherVersion(version)}\nnext: ${RESTART}\n`)
}

export const otherVersion = (version: string): string => `It is version ${version}, and this is ${VERSION}`

/** A process that is there need not be one that answers. */
export async function assertAnswers(daemon: FoundDaemon): Promise<Health> {
  const { connect } = await import('../../client.ts')
  const { url, certificate } = daemon.endpoint
  await using client = await connect({ url, certificate, key: daemon.key, timeoutMs: ANSWER_MILLIS })
  return await client.health().catch((error: unknown) => {
    throw new DataDirError(notAnswering(daemon), RESTART, error)
  })
}

/** What it means that a repository has a new name, and what there is to do about it. */
export function renameNotice({ from, overruled }: Renamed): string {
  const lines = [
    `renamed from ${from}: agent ID, pairings and the repos that it holds in projects stay as they are`,
    `Peers go on knowing it as ${from}, which they let in, and show the new name beside it; projects that are created from now on have the new name`,
    ...(overruled === undefined
      ? []
      : [`${overruled} still says another name, and the next start takes that: correct it there too`]),
  ]
  return lines.map((line) => `  ${printableLine(line)}`).join('\n')
}
