import { type CallFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import { printable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

export interface BriefFlags extends CallFlags {
  readonly since?: string
  readonly budget?: string
  readonly project?: string
}

/** `cacpd brief`: the bare text, and nothing at all when there is nothing to say. */
export async function brief(flags: BriefFlags, terminal: Terminal): Promise<void> {
  const { since, budget, project } = flags
  if (budget !== undefined && !/^[1-9]\d{2,4}$/.test(budget))
    throw new UsageError('--budget: must be a whole number of tokens from 100 to 20000, such as 1500')
  const result = await withDaemon(flags, terminal, (client) =>
    client.call('cacp/brief', {
      ...(since === undefined ? {} : { since }),
      ...(budget === undefined ? {} : { budget: Number(budget) }),
      ...(project === undefined ? {} : { projectId: project }),
    }),
  )
  if (flags.json === true) printResult(result, flags, terminal)
  if (flags.json === true || result.text === '') return
  terminal.print(`${printable(result.text)}\n`)
  // Beside the text, which is for a model.
  terminal.complain(`next: what changes after this: ${terminal.self} brief --since ${result.cursor}\n`)
}
