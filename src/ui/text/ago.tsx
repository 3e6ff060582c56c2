import { computed, useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { lasting } from './figures.ts'
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

/** How long something is still good for, counted down; `over` once it is not. */
export function Until({ at, over = 'over' }: { readonly at: string; readonly over?: string }) {
  const text = useComputed(() => {
    const left = Date.parse(at) - now.value
    return left > 0 ? `${lasting(left / 1000)} left` : over
  })
  return (
    <time dateTime={at} title={fullTime(at)}>
      {text}
    </time>
  )
}
