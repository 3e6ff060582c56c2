import type { ComponentChildren } from 'preact'
import { Foreign } from '../text/foreign.tsx'

/** What there is to know of something: names and values. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="fact-list">{children}</dl>
}

interface FactProps {
  readonly name: string
  /** What others wrote; missing: the children say it. */
  readonly text?: string
  readonly children?: ComponentChildren
}

export function Fact({ name, text, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text === undefined ? children : <Foreign text={text} />}</dd>
    </div>
  )
}
