import { pieces, visibleText } from './hidden.ts'

/** Of a text that consists of unseen characters, marks for all would be too much for a page. */
const MOST_PIECES = 120

/** Text that others wrote: text nodes only, and marks in the place of characters that nobody would see. */
export function Foreign({ text }: { readonly text: string }) {
  const found = pieces(text)
  if (found.length > MOST_PIECES) return visibleText(text)
  return found.map((piece, index) =>
    'text' in piece ? (
      piece.text
    ) : (
      <mark key={index} class="unseen" title={piece.name}>
        {piece.hidden}
      </mark>
    ),
  )
}

/** The same as code. */
export const ForeignCode = ({ text, class: look }: { readonly text: string; readonly class?: string }) => (
  <code class={look}>
    <Foreign text={text} />
  </code>
)

/** A name that others gave, in quotes that it cannot close. `isolate` keeps its direction to itself. */
export function Quoted({ text, most = 200 }: { readonly text: string; readonly most?: number }) {
  const isLong = text.length > most
  return (
    <bdi class="quoted" title={isLong ? visibleText(text.slice(0, 2000)) : undefined}>
      «<Foreign text={isLong ? `${text.slice(0, most - 1)}…` : text} />»
    </bdi>
  )
}

/** Names that others gave, one after the other. */
export function Names({ names }: { readonly names: readonly string[] }) {
  return names.map((name, index) => (
    <span key={name}>
      {index === 0 ? '' : index === names.length - 1 ? ' and ' : ', '}
      <Quoted text={name} most={60} />
    </span>
  ))
}
