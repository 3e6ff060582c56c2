import { useState } from 'preact/hooks'
import { figure } from './figures.ts'
import { Foreign } from './foreign.tsx'
import { ForeignLink } from './foreign-link.tsx'
import { type Inline, readText } from './reader.ts'

/** Longer texts are cut, with a button for the rest. */
const LINES_SHOWN = 12
const CHARACTERS_SHOWN = 1200

/** A longer text of others, with its paragraphs, lists and code. */
export function Prose({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  const short = shortened(text)
  const isCut = short.length < text.length
  const blocks = readText(isWhole ? text : short)
  return (
    <div class="prose">
      {blocks.map((block, index) => {
        if (block.is === 'code')
          return (
            <pre key={index}>
              <code>
                <CodeLines text={block.text} />
              </code>
            </pre>
          )
        if (block.is === 'paragraph')
          return (
            <p key={index}>
              {block.lines.map((line, at) => (
                <span key={at} class="line">
                  <Inlines parts={line} />
                </span>
              ))}
            </p>
          )
        const List = block.isOrdered ? 'ol' : 'ul'
        return (
          <List key={index}>
            {block.items.map((item, at) => (
              <li key={at}>
                <Inlines parts={item} />
              </li>
            ))}
          </List>
        )
      })}
      {isCut && (
        <button type="button" class="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${figure(text.length)} characters`}
        </button>
      )}
    </div>
  )
}

function shortened(text: string): string {
  let end = -1
  for (let line = 0; line < LINES_SHOWN; line++) {
    end = text.indexOf('\n', end + 1)
    if (end < 0) break
  }
  const lines = end < 0 ? text : text.slice(0, end)
  return lines.length <= CHARACTERS_SHOWN ? lines : lines.slice(0, CHARACTERS_SHOWN)
}

function Inlines({ parts }: { readonly parts: readonly Inline[] }) {
  return parts.map((part, index) => {
    if (part.is === 'text') return <Foreign text={part.text} />
    if (part.is === 'link') return <ForeignLink key={index} href={part.text} />
    return (
      <code key={index}>
        <Foreign text={part.text} />
      </code>
    )
  })
}

/** Lines of code, each in its place; tabs are what they look like. */
export function CodeLines({ text }: { readonly text: string }) {
  return text
    .replaceAll('\t', '  ')
    .split(/\r\n|\r|\n/)
    .map((line, index) => (
      <span key={index} class="line">
        <Foreign text={line} />
      </span>
    ))
}
