import type { ComponentChildren } from 'preact'

interface PartProps {
  readonly title: string
  /** How it looks; default: `part`. */
  readonly class?: string
  readonly id?: string
  /** What can be done with it, beside its heading. */
  readonly acts?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a screen under its own heading. */
export function Part({ title, class: look = 'part', id, acts, children }: PartProps) {
  const heading = <h2>{title}</h2>
  return (
    <section class={look} aria-label={title} id={id}>
      {acts === undefined ? (
        heading
      ) : (
        <div class="part-head">
          {heading}
          {acts}
        </div>
      )}
      {children}
    </section>
  )
}
