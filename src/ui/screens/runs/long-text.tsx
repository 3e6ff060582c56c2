import { useSignal } from '@preact/signals'
import { CopyButton } from '../../form/copy-button.tsx'
import { put } from '../../put.ts'
import { figure } from '../../text/figures.ts'
import { CodeLines } from '../../text/prose.tsx'
import { tailOf } from './tail.ts'

const STEP = 200

/** A text that others wrote and that may still grow: its end, and more of it on demand. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = useSignal(STEP)
  const tail = tailOf(text, lines.value)
  return (
    <div class="long-text">
      {tail.before > 0 && (
        <p class="quiet">
          {figure(tail.before)} characters before this.{' '}
          {lines.value < 5 * STEP && (
            <button type="button" class="link" onClick={() => put(lines, lines.value + STEP)}>
              Show {STEP} lines more
            </button>
          )}
        </p>
      )}
      <div
        class="said"
        role="group"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
      >
        <CodeLines text={tail.text} />
      </div>
      <CopyButton text={text} what={label.toLowerCase()} />
    </div>
  )
}
