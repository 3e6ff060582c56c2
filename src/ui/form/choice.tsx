import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { put } from '../put.ts'

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
    <input type="radio" name={name} checked={of.value === value} onChange={() => put(of, value)} />
    {children}
  </label>
)

/** Something that holds or not. */
export const CheckBox = ({ of, children }: { of: Signal<boolean>; children: ComponentChildren }) => (
  <Tick isOn={of.value} turn={(isOn) => put(of, isOn)}>
    {children}
  </Tick>
)

interface TickProps {
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly children: ComponentChildren
  turn(isOn: boolean): void
}

/** The same, where it is not a signal that says so. */
export const Tick = ({ isOn, isDisabled, children, turn }: TickProps) => (
  <label class="choice">
    <input
      type="checkbox"
      disabled={isDisabled}
      checked={isOn}
      onChange={({ currentTarget }) => turn(currentTarget.checked)}
    />
    {children}
  </label>
)
