import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly rows?: number
  readonly hint?: ComponentChildren
  readonly isCode?: boolean
  readonly isFocused?: boolean
  readonly isRequired?: boolean
  readonly problem?: string | undefined
  change(value: string): void
}

/** As much as the daemon takes in a text. */
const LONGEST = 20_000

/** A text that a person writes. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    value,
    rows = 3,
    hint,
    isCode = false,
    isFocused = false,
    isRequired = false,
    problem,
    change,
  } = props
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  // Before the next key can be pressed.
  useLayoutEffect(() => {
    if (isFocused) field.current?.focus()
  }, [isFocused])
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        ref={field}
        id={id}
        rows={rows}
        class={isCode ? 'code' : undefined}
        spellcheck={!isCode}
        required={isRequired}
        maxLength={isCode ? undefined : LONGEST}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-hint`}
        aria-invalid={problem !== undefined}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {(hint !== undefined || problem !== undefined) && (
        <p id={`${id}-hint`} class={problem === undefined ? 'hint' : 'problem'}>
          {problem ?? hint}
        </p>
      )}
    </div>
  )
}
