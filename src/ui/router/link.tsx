import type { ComponentChildren } from 'preact'
import type { Destination } from './route.ts'
import { addressOf, go } from './router.ts'

interface LinkProps {
  readonly to: Destination
  readonly class?: string
  readonly children: ComponentChildren
  readonly 'aria-current'?: 'page' | 'true' | undefined
  readonly 'aria-label'?: string | undefined
  readonly title?: string | undefined
  /** What the keys `j` and `k` stop at. */
  readonly 'data-open'?: true
}

/** A link within the pages: a real address, so that it can be copied and opened in another tab. */
export function Link({ to, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0
    if (isElsewhere) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={addressOf(to)} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
