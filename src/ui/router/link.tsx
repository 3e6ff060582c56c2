import type { ComponentChildren } from 'preact'
import type { Destination } from './route.ts'
import { addressOf, go } from './router.ts'

interface LinkProps {
  readonly to: Destination
  /** Whether it only shows more of the same page, which then stays where it is scrolled to. */
  readonly isSamePage?: boolean
  readonly class?: string
  readonly children: ComponentChildren
  readonly 'aria-current'?: 'page' | 'true' | undefined
  readonly 'aria-label'?: string | undefined
  readonly title?: string | undefined
  /** What the keys `j` and `k` stop at. */
  readonly 'data-open'?: true
}

/** A link within the pages: a real address, so that it can be copied and opened in another tab. */
export function Link({ to, isSamePage, children, ...rest }: LinkProps) {
  return (
    <a href={addressOf(to)} onClick={following(to, isSamePage)} {...rest}>
      {children}
    </a>
  )
}

/** What a click on a link does, also on one in a drawing: it goes there, unless another tab or window is wanted. */
export const following =
  (to: Destination, isSamePage = false) =>
  (event: MouseEvent): void => {
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0
    if (isElsewhere) return
    event.preventDefault()
    go(to, isSamePage)
  }
