import { useId } from 'preact/hooks'
import { show } from '../../router/router.ts'

interface StatusFilterProps {
  readonly value: string | undefined
  readonly choices: readonly { readonly status: string; readonly word: string }[]
}

/** Shows only what is in one status; the address holds which. */
export function StatusFilter({ value, choices }: StatusFilterProps) {
  const id = useId()
  return (
    <p class="filter">
      <label for={id}>Status</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={({ currentTarget }) => show({ status: currentTarget.value })}
      >
        <option value="">all</option>
        {choices.map(({ status, word }) => (
          <option key={status} value={status}>
            {word}
          </option>
        ))}
      </select>
    </p>
  )
}
