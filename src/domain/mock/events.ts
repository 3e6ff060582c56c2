import type { Operation, Slot } from '../interface/model.ts'
import type { Served } from './routes.ts'

/** Something that the provider sends by itself. */
export interface Emitted {
  readonly served: Served
  readonly operation: Operation
  readonly payload: Slot
}

/** The events, and webhooks, that these contracts describe. */
export const eventsOf = (contracts: readonly Served[]): readonly Emitted[] =>
  contracts.flatMap((served) =>
    served.interface.operations.flatMap((operation) => {
      const payload = operation.slots.find(
        ({ at, sender }) => (at === 'event.payload' || at === 'request.body') && sender === 'provider',
      )
      return payload === undefined ? [] : [{ served, operation, payload }]
    }),
  )

/** What it is called by: all of its name, a word of it, or the name of its contract. */
export function eventNamed(events: readonly Emitted[], name: string): Emitted | undefined {
  const by = (isMeant: (event: Emitted) => boolean) => events.find(isMeant)
  return (
    by(({ operation }) => operation.key === name) ??
    by(({ operation }) => operation.key.split(' ').includes(name)) ??
    by(({ served }) => served.name === name)
  )
}
