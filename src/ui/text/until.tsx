import { useComputed } from '@preact/signals'
import { lasting } from './figures.ts'
import { now } from './now.ts'
import { fullTime } from './time.ts'

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
