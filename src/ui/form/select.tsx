import { useId } from 'preact/hooks'
import { show } from '../router/router.ts'
import { visibleText } from '../text/hidden.ts'

interface SelectProps {
  readonly id?: string
  readonly value: string | undefined
  /** What it says while none of them is chosen; missing: one always is. */
  readonly none?: string
  readonly choices: readonly (readonly [value: string, word: string])[]
  choose(value: string): void
}

/** A list that opens, of which one is chosen. */
export const Select = ({ id, value = '', none, choices, choose }: SelectProps) => (
  <select id={id} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
    {none !== undefined && <option value="">{none}</option>}
    {choices.map(([one, word]) => (
      <option key={one} value={one}>
        {word}
      </option>
    ))}
  </select>
)

/** The same in a form. */
export function SelectField({ label, ...select }: SelectProps & { readonly label: string }) {
  const id = useId()
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <Select id={id} {...select} />
    </p>
  )
}

interface FilterProps extends Omit<SelectProps, 'id' | 'choose'> {
  readonly class?: string
  /** Only heard: what it says while none is chosen tells as much. */
  readonly label: string
  /** What it puts into the address. */
  readonly of: string
}

/** The same, to narrow what is shown. */
export const FilterSelect = ({ class: look, label, of, ...select }: FilterProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the select is in it
  <label class={look}>
    <span class="visually-hidden">{label}</span>
    <Select {...select} choose={(value) => show({ [of]: value })} />
  </label>
)

/** Narrows to a repository, by the name that others gave it. */
export const RepoSelect = ({ names, value }: { names: readonly string[]; value: string | undefined }) => (
  <FilterSelect
    label="Repository"
    none="Any repository"
    choices={names.map((name) => [name, visibleText(name)])}
    of="repo"
    value={value}
  />
)
