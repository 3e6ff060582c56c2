import { type Signal, signal } from '@preact/signals'
import type { MethodName, ParamsOf, ResultOf } from '../../methods/table.ts'
import { call } from './call.ts'
import type { CallFault, Outcome } from './fault.ts'
import { askJson } from './http.ts'

/** What is known of the answer to a call that a screen shows. */
export interface Answered<Result> {
  /** The newest answer, which stays when a later call fails. */
  readonly value?: Result
  /** When that was answered, in milliseconds. */
  readonly at?: number
  /** Why the last call failed. */
  readonly fault?: CallFault
  readonly isAsking: boolean
}

export interface Entry<Result> {
  readonly answered: Signal<Answered<Result>>
  /** Asks again; while it is being asked, once more after that. */
  ask(): void
  /** How many components show it. */
  users: number
}

/** Most answers that are kept for the way back. */
const MOST_KEPT = 60

/** A daemon that says nothing for so long does not answer: nobody looks at grey bars for ever. */
const LONGEST_WAIT = 60_000

const entries = new Map<string, Entry<unknown>>()

/** What is known of the answer to a call of a method. */
export const entryFor = <Name extends MethodName>(
  method: Name,
  params: ParamsOf<Name>,
): Entry<ResultOf<Name>> =>
  entryNamed(JSON.stringify([method, params]), () =>
    call(method, params, { signal: AbortSignal.timeout(LONGEST_WAIT) }),
  )

/** What is known of the answer of a route that is no JSON-RPC. */
export const entryAt = <Result>(path: string): Entry<Result> => entryNamed(path, () => askJson<Result>(path))

function entryNamed<Result>(key: string, fetch: () => Promise<Outcome<Result>>): Entry<Result> {
  const known = entries.get(key) as Entry<Result> | undefined
  if (known !== undefined) return known
  const entry = createEntry(fetch)
  entries.set(key, entry as Entry<unknown>)
  forgetOldest()
  return entry
}

function createEntry<Result>(fetch: () => Promise<Outcome<Result>>): Entry<Result> {
  const answered = signal<Answered<Result>>({ isAsking: false })
  let isWantedAgain = false
  const ask = async (): Promise<void> => {
    if (answered.value.isAsking) {
      isWantedAgain = true
      return
    }
    answered.value = { ...answered.value, isAsking: true }
    const outcome = await fetch()
    const { value, at } = answered.value
    answered.value = outcome.ok
      ? { value: outcome.result, at: Date.now(), isAsking: false }
      : {
          ...(value === undefined ? {} : { value }),
          ...(at === undefined ? {} : { at }),
          fault: outcome.fault,
          isAsking: false,
        }
    if (!isWantedAgain) return
    isWantedAgain = false
    await ask()
  }
  return { answered, ask: () => void ask(), users: 0 }
}

function forgetOldest(): void {
  for (const [key, { users }] of entries) {
    if (entries.size <= MOST_KEPT) return
    if (users === 0) entries.delete(key)
  }
}
