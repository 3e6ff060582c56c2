import { show } from '../router/router.ts'

type Query = Parameters<typeof show>[0]

interface SegmentsProps {
  /** What is chosen by them, for those who hear it. */
  readonly label: string
  /** Each with whether it is the one, and what it puts into the address. */
  readonly choices: readonly (readonly [word: string, isChosen: boolean, query: Query])[]
}

/** A few views of the same, of which one is chosen. */
export function Segments({ label, choices }: SegmentsProps) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map(([word, isChosen, query]) => (
        <button key={word} type="button" aria-pressed={isChosen} onClick={() => show(query)}>
          {word}
        </button>
      ))}
    </div>
  )
}
