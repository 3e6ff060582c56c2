import type { Signal } from '@preact/signals'
import { Choice } from '../../form/choice.tsx'
import { Quoted } from '../../text/foreign.tsx'

interface OfferedProps {
  readonly options: readonly string[]
  /** What is written; to choose an option writes it there, to be changed or added to. */
  readonly of: Signal<string>
}

/** The options that a question offers. */
export function Offered({ options, of }: OfferedProps) {
  if (options.length === 0) return null
  return (
    <fieldset>
      <legend>The options of the question</legend>
      {options.map((option) => (
        <Choice key={option} name="option" of={of} value={option}>
          <Quoted text={option} />
        </Choice>
      ))}
    </fieldset>
  )
}
