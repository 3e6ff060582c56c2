import { useKey } from '../frame/keys.ts'

/** `j` and `k` go through the rows of the page; Enter opens the one in focus, as every link. */
export function useRowKeys(): void {
  useKey('j', 'the next row', () => move(1))
  useKey('k', 'the row before', () => move(-1))
}

function move(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row] [data-open]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = rows[at < 0 ? (by === 1 ? 0 : rows.length - 1) : at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
