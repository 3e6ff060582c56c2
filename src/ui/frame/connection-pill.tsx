import { useComputed } from '@preact/signals'
import { BUILD } from '../place.ts'
import { session } from '../session/session.ts'
import { connection } from '../stream/bus.ts'
import { connectionWords } from '../stream/connection.ts'
import { now } from '../text/now.ts'

/** Whether what is shown is what is so, in words. */
export function ConnectionPill() {
  const state = useComputed(() => {
    return connectionWords(connection.value, connection.value.is === 'waiting' ? now.value : 0)
  })
  const { words, tone } = state.value
  if (session.value !== undefined && session.value.build !== BUILD)
    return (
      <button type="button" class="pill warn" onClick={() => location.reload()}>
        this page is older than the daemon: reload
      </button>
    )
  return (
    <p class={`pill ${tone}`} role="status" aria-label={`Connection: ${words}`}>
      <span class="pill-dot" aria-hidden="true" />
      <span>{words}</span>
    </p>
  )
}
