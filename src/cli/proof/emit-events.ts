import { eventNamed, eventsOf } from '../../domain/mock/events.ts'
import type { Served } from '../../domain/mock/routes.ts'
import { closestOnes } from '../../protocol/text/closest.ts'
import { numberGiven } from '../form/options.ts'
import type { Terminal } from '../output/terminal.ts'
import { CommandError, UsageError } from '../program/report.ts'
import { urlIn } from './mock-options.ts'

const COUNT = /^(?:[1-9]\d{0,4}|100000)$/

/** What is wrong with the command line is said before the daemon is asked. */
export function emittingTo({ to, count }: { to?: string | undefined; count?: string | undefined }) {
  if (to === undefined)
    throw new UsageError('--to: say where the event is posted, such as http://127.0.0.1:3000/hook')
  return {
    to: urlIn(to, '--to'),
    count: numberGiven(count, COUNT, '--count: must be a whole number from 1 to 100000') ?? 1,
  }
}

export async function emitEvents(
  contracts: readonly Served[],
  { name, seed, ...target }: ReturnType<typeof emittingTo> & { name: string; seed: number },
  terminal: Terminal,
): Promise<void> {
  const events = eventsOf(contracts)
  const event = eventNamed(events, name)
  if (event === undefined) {
    const names = closestOnes(name, [...new Set(events.map(({ operation }) => operation.key))], 3)
    const next =
      names.length === 0
        ? 'Agree on one; --proposed takes those that are proposed'
        : `There are ${names.join(', ')}`
    throw new CommandError(`No contract in force describes an event ${name}`, 'not_found', next)
  }
  const { emit } = await import('../../io/mock/emit.ts')
  const { key } = event.operation
  await emit(event, {
    ...target,
    seed,
    tell: (status) => terminal.print(`${key} (version ${event.served.version}): ${status}\n`),
  })
}
