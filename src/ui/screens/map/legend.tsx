import { STATES, type State } from './state.ts'

const MEANS: Readonly<Record<State, string>> = {
  conflict: 'in conflict (!)',
  negotiating: 'negotiating',
  proposed: 'proposed',
  agreed: 'agreed',
  implemented: 'implemented',
  verified: 'verified',
}

/** What the lines mean: each is drawn as the worst of the contracts that it stands for. */
export function Legend() {
  return (
    <ul class="map-legend" aria-label="What the lines mean">
      {STATES.map((state) => (
        <li key={state}>
          <svg class={`map-line ${state}`} viewBox="0 0 40 8" aria-hidden="true">
            <path class="map-stroke" d="M0 4H40" stroke-width="3" />
          </svg>
          {MEANS[state]}
        </li>
      ))}
      <li>a thicker line: more contracts</li>
    </ul>
  )
}
