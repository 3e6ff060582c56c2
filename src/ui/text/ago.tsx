import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { now } from './now.ts'
import { ago, fullTime, span } from './time.ts'

/** How long ago something was; its exact time is the title. */
export function Ago({ at, isShort = false }: { readonly at: string; readonly isShort?: boolean }) {
  const text = useMemo(
    () => computed(() => (isShort ? span(now.value - new Date(at).getTime()) : ago(at, now.value))),
    [at, isShort],
  )
  return (
    <time dateTime={at} title={fullTime(at)}>
      {text}
    </time>
  )
}
