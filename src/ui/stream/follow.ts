import { sessionEnded } from '../session/ended.ts'
import { connection } from './bus.ts'
import { connected, type Happening, pauseAfter } from './connection.ts'
import { LOCAL_PARTS, type News, type StreamEvent } from './event.ts'
import { readStream } from './read-stream.ts'
import { onWake } from './wake.ts'

interface Following {
  /** Where to go on; undefined: from now on. */
  cursor: string | undefined
  /** Whether another tab has read it so far. */
  isResumed: boolean
  readonly signal: AbortSignal
  tell(news: News): void
  /** Told whenever the state of the connection or the cursor is another one. */
  moved(): void
}

/** Longer than the daemon is ever silent: it says every quarter of a minute that it is there. */
const LONGEST_SILENCE = 45_000
/** After this pause everything that was missed has arrived. */
const QUIET = 300

const EVERYTHING: News = { changes: [], local: [], isEverything: true }

/** Reads the stream, and reads it again whenever it ends, until the signal or the end of the session. */
export async function follow(following: Following): Promise<void> {
  const { signal, tell, moved } = following
  let heardAt: number | undefined

  const happen = (happened: Happening): void => {
    connection.value = connected(connection.value, happened)
    moved()
  }

  while (!signal.aborted) {
    happen({ type: 'opening' })
    const watch = watchSilence(signal)
    const end = await readStream({
      since: following.cursor,
      signal: watch.signal,
      hear: (events) => {
        heardAt = Date.now()
        watch.heard()
        take(events)
      },
    })
    watch.end()
    if (end.is === 'refused') {
      sessionEnded.value = true
      return happen({ type: 'refused' })
    }
    if (signal.aborted) return
    if (end.is === 'stale') {
      following.cursor = end.cursor
      tell(EVERYTHING)
    } else {
      const failures = connection.value.is === 'waiting' ? connection.value.failures : 0
      const until = Date.now() + pauseAfter(failures)
      happen({ type: 'lost', until, asOf: heardAt })
      await pauseUntil(until, signal)
    }
  }

  function take(events: readonly StreamEvent[]): void {
    for (const event of events) if (event.type !== 'local') following.cursor = event.cursor
    if (events.some(({ type }) => type === 'snapshot')) {
      happen({ type: 'opened', isResumed: following.isResumed })
      following.isResumed = true
      // What is in no feed may have changed since it was asked.
      tell({ changes: [], local: LOCAL_PARTS, isEverything: false })
      setTimeout(() => happen({ type: 'quiet' }), QUIET)
    }
    const changes = events.flatMap((event) => (event.type === 'change' ? [event.change] : []))
    const local = events.flatMap((event) => (event.type === 'local' ? [event.part] : []))
    if (changes.length > 0) happen({ type: 'changes', count: changes.length })
    if (changes.length + local.length > 0) tell({ changes, local, isEverything: false })
  }
}

/** Ends a connection on which nothing was heard for long: it may be dead without anybody having said so. */
function watchSilence(signal: AbortSignal): { signal: AbortSignal; heard(): void; end(): void } {
  const silent = new AbortController()
  const begin = () => setTimeout(() => silent.abort(), LONGEST_SILENCE)
  let timer = begin()
  const stopWaking = onWake(({ isLate }) => isLate && silent.abort())
  return {
    signal: AbortSignal.any([signal, silent.signal]),
    heard() {
      clearTimeout(timer)
      timer = begin()
    },
    end() {
      clearTimeout(timer)
      stopWaking()
    },
  }
}

/** Ends early when the computer, the network or the tab wakes up. */
function pauseUntil(moment: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, moment - Date.now())
    const stopWaking = onWake(done)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      stopWaking()
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
