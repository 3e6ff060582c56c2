import type { ComponentChildren } from 'preact'

/** What there is to know of something: names and values. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="fact-list">{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
