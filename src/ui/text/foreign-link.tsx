import { useState } from 'preact/hooks'
import { Foreign } from './foreign.tsx'

/** An address that others wrote: text at first; it opens after a word of warning. */
export function ForeignLink({ href }: { readonly href: string }) {
  const [isAsked, setAsked] = useState(false)
  if (!isAsked)
    return (
      <button type="button" class="link foreign-link" onClick={() => setAsked(true)}>
        <Foreign text={href} />
      </button>
    )
  return (
    <span class="leaving" role="group" aria-label="This link leaves the dashboard">
      This leaves the dashboard, for{' '}
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        <Foreign text={href} />
      </a>{' '}
      <button type="button" class="link" onClick={() => setAsked(false)}>
        Stay here
      </button>
    </span>
  )
}
