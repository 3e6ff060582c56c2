import { useEffect, useMemo } from 'preact/hooks'
import type { MethodName, ParamsOf, ResultOf } from '../../methods/table.ts'
import { connection, onNews } from '../stream/bus.ts'
import { type Answered, type Entry, entryAt, entryFor } from './answer-store.ts'
import { isAbout, type Liveness } from './liveness.ts'

export interface Shown<Result> extends Answered<Result> {
  again(): void
}

/** Changes that come at once are asked about once, and many in a row once a second. */
const GATHER = 250
const PAUSE = 1000

/** The answer to a call, asked again whenever what it tells may have changed. Without params nothing is asked. */
export function useCall<Name extends MethodName>(
  method: Name,
  params: ParamsOf<Name> | undefined,
  live: Liveness = {},
): Shown<ResultOf<Name>> {
  const key = JSON.stringify([method, params])
  const entry = useMemo(() => (params === undefined ? undefined : entryFor(method, params)), [key])
  return useEntry(entry, live)
}

/** The same for a route that is no JSON-RPC. */
export function useJson<Result>(path: string, live: Liveness): Shown<Result> {
  const entry = useMemo(() => entryAt<Result>(path), [path])
  return useEntry(entry, live)
}

function useEntry<Result>(entry: Entry<Result> | undefined, live: Liveness): Shown<Result> {
  useEffect(() => {
    if (entry === undefined) return undefined
    entry.users++
    entry.ask()
    let gathering: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const askSoon = () => {
      const wait = Math.max(GATHER, last + PAUSE - Date.now())
      gathering ??= setTimeout(() => {
        gathering = undefined
        last = Date.now()
        entry.ask()
      }, wait)
    }
    const stopNews = onNews((news) => isAbout(news, live) && askSoon())
    const every = live.everySeconds
    const timer =
      every === undefined
        ? undefined
        : setInterval(() => {
            if (document.visibilityState === 'visible' && connection.value.is !== 'ended') entry.ask()
          }, every * 1000)
    return () => {
      entry.users--
      stopNews()
      clearTimeout(gathering)
      clearInterval(timer)
    }
  }, [entry, JSON.stringify(live)])
  return { ...(entry?.answered.value ?? { isAsking: false }), again: () => entry?.ask() }
}
