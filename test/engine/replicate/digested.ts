import { Digests } from '../../../src/engine/replicate/cacpd/digests.ts'
import { StatementLog } from '../../../src/engine/replicate/cacpd/statement-log.ts'
import { intakeDesk } from './intake-desk.ts'

export const pause = async (): Promise<void> => {}

/** A desk that takes statements in, and the digests of what it keeps. */
export async function digested() {
  const desk = await intakeDesk()
  const log = new StatementLog(desk.store.statements(), desk.store.view)
  desk.store.onDurable((more) => log.record(more))
  return { ...desk, digests: new Digests(log, desk.store.view, pause) }
}
