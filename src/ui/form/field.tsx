import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { put } from '../put.ts'

interface TextFieldProps {
  readonly label: string
  /** Holds what is written; undefined while that is nothing. */
  readonly of: Signal<string | undefined>
  readonly rows?: number
  readonly hint?: ComponentChildren
  readonly isCode?: boolean
  readonly isFocused?: boolean
  readonly isRequired?: boolean
  readonly problem?: string | undefined
}

/** As much as the daemon takes in a text. */
const LONGEST = 20_000

/** A text that a person writes. */
export function TextField(props: TextFieldProps) {
  const { label, of, rows = 3, hint, isCode = false, isFocused = false, isRequired = false, problem } = props
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
        value={of.value ?? ''}
        onInput={({ currentTarget }) => put(of, currentTarget.value)}
      />
      {(hint !== undefined || problem !== undefined) && (
        <p id={`${id}-hint`} class={problem === undefined ? 'hint' : 'problem'}>
          {problem ?? hint}
        </p>
      )}
    </div>
  )
}

interface LineProps {
  readonly label: ComponentChildren
  readonly of: Signal<string>
  readonly maxLength?: number
  readonly placeholder?: string
  readonly autocomplete?: 'off'
  readonly spellcheck?: false
}

/** For names, which no browser should complete or correct. */
export const EXACT = { autocomplete: 'off', spellcheck: false } as const

/** One line that a person writes. */
export function LineField({ label, of, ...input }: LineProps) {
  const id = useId()
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={of.value}
        onInput={({ currentTarget }) => put(of, currentTarget.value)}
        {...input}
      />
    </p>
  )
}
