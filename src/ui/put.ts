import type { Signal } from '@preact/signals'

/** Gives a signal another value: for what only takes an expression. */
export function put<Value>(of: Signal<Value>, value: NoInfer<Value>): void {
  of.value = value
}
