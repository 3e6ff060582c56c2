import { effect } from '@preact/signals'
import { PAGES } from '../place.ts'
import { sessionEnded } from '../session/ended.ts'
import { connection, tellNews } from './bus.ts'
import { type Connection, connected } from './connection.ts'
import type { News } from './event.ts'
import { follow } from './follow.ts'
import { onWake, wake } from './wake.ts'

/**
 * One stream per browser: the tab that holds a lock reads it and tells the others. A browser has six connections to a
 * daemon, and a stream in every tab would use them up.
 */

interface Told {
  readonly connection?: Connection
  readonly cursor?: string | undefined
  readonly news?: News
  /** A tab that is new, or woke up, asks how things are. */
  readonly isAsking?: true
}

const NAME = `cacpd stream ${PAGES}`
/** A tab that is hidden for longer reads no stream. */
const AWAKE_WHILE_HIDDEN = 30_000

interface Sharing {
  /** Where the changes were before anything was asked. */
  readonly since: string
  /** Whether the stream is read also while every tab is hidden. */
  isAwakeHidden(): boolean
}

export function shareStream({ since, isAwakeHidden }: Sharing): void {
  const channel = new BroadcastChannel(NAME)
  let cursor: string | undefined
  let leading: { cursor: string | undefined } | undefined
  let wanted: AbortController | undefined
  let sleep: ReturnType<typeof setTimeout> | undefined

  channel.onmessage = ({ data: told }: MessageEvent<Told>) => {
    if (told.isAsking && leading !== undefined) {
      tellState()
      // What woke that tab wakes this one, which reads for both.
      wake({ isLate: false })
    }
    if (leading !== undefined) return
    if (told.connection !== undefined) connection.value = told.connection
    if (told.connection?.is === 'ended') sessionEnded.value = true
    if (told.cursor !== undefined) cursor = told.cursor
    if (told.news !== undefined) tellNews(told.news)
  }

  const tell = (told: Told): void => channel.postMessage(told)
  const tellState = (): void => tell({ connection: connection.value, cursor: leading?.cursor })

  async function lead(signal: AbortSignal): Promise<void> {
    const mine = {
      cursor: cursor ?? since,
      isResumed: cursor !== undefined,
      signal,
      tell(news: News) {
        tellNews(news)
        tell({ news })
      },
      moved: tellState,
    }
    leading = mine
    try {
      await follow(mine)
      // A session that ended stays so until somebody logs in: no other tab has to find that out.
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    } finally {
      cursor = mine.cursor
      if (connection.value.is !== 'ended')
        connection.value = connected(connection.value, { type: 'slept', asOf: Date.now() })
      tellState()
      leading = undefined
    }
  }

  function want(): void {
    clearTimeout(sleep)
    if (wanted !== undefined) return
    wanted = new AbortController()
    const { signal } = wanted
    if (navigator.locks === undefined) void lead(signal)
    else void navigator.locks.request(NAME, { signal }, () => lead(signal)).catch(() => {})
  }

  function rest(): void {
    clearTimeout(sleep)
    sleep = setTimeout(() => {
      if (!isAwakeHidden()) leave()
    }, AWAKE_WHILE_HIDDEN)
  }

  function leave(): void {
    wanted?.abort()
    wanted = undefined
  }

  const look = (): void => (document.visibilityState === 'visible' ? want() : rest())
  document.addEventListener('visibilitychange', look)
  const askState = (): void => tell({ isAsking: true })
  onWake(() => leading === undefined && askState())
  askState()
  want()
  look()
  // After the person has logged in again, in this tab or in another one.
  effect(() => {
    if (sessionEnded.value || connection.peek().is !== 'ended') return
    leave()
    want()
  })
}
