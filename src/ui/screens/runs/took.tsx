import { useComputed } from '@preact/signals'
import { now } from '../../text/now.ts'
import { tookOf } from './status.ts'

/** How long something took, or has taken so far. */
export function Took({ from, to }: { readonly from: string; readonly to: string | null }) {
  const text = useComputed(() => tookOf(from, to, to === null ? now.value : 0))
  return <span>{text}</span>
}
