import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

interface ChoiceProps<Value> {
  /** Shared by those of which one is chosen. */
  readonly name: string
  /** Holds what is chosen. */
  readonly of: Signal<Value>
  readonly value: Value
  readonly children: ComponentChildren
}

/** One of several, of which a person chooses one. */
export const Choice = <Value,>({ name, of, value, children }: ChoiceProps<Value>) => (
  <label class="choice">
    <input
      type="radio"
      name={name}
      checked={of.value === value}
      onChange={() => {
        of.value = value
      }}
    />
    {children}
  </label>
)

interface CheckBoxProps {
  readonly of: Signal<boolean>
  readonly children: ComponentChildren
}

/** Something that holds or not. */
export const CheckBox = ({ of, children }: CheckBoxProps) => (
  <label class="choice">
    <input
      type="checkbox"
      checked={of.value}
      onChange={({ currentTarget }) => {
        of.value = currentTarget.checked
      }}
    />
    {children}
  </label>
)
