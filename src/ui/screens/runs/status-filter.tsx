import { useId } from 'preact/hooks'
import { Select } from '../../form/select.tsx'
import { show } from '../../router/router.ts'
import { RUN_WORDS } from './status.ts'

interface StatusFilterProps<Status> {
  readonly value: Status | undefined
  readonly of: readonly Status[]
}

/** Shows only what is in one status; the address holds which. */
export function StatusFilter<Status extends keyof typeof RUN_WORDS>({
  value,
  of,
}: StatusFilterProps<Status>) {
  const id = useId()
  return (
    <p class="filter">
      <label for={id}>Status</label>
      <Select
        id={id}
        none="all"
        choices={of.map((status) => [status, RUN_WORDS[status].word])}
        value={value}
        choose={(status) => show({ status })}
      />
    </p>
  )
}
