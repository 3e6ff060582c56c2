import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useMemo } from 'preact/hooks'
import { CopyButton } from '../form/copy-button.tsx'
import { save } from '../form/save.ts'
import { Icon } from '../frame/icon.tsx'
import { put } from '../put.ts'
import { figure } from '../text/figures.ts'
import { Foreign } from '../text/foreign.tsx'
import { entriesOf, findIn, isNested, levelsWithin, summaryOf } from './summary.ts'
import { isList, type JsonValue } from './value.ts'

/** So many rows of a document are open at first; what is deeper is folded. */
const OPEN_ROWS = 100
/** From this length on, one can search in it. */
const SEARCHED = 2000
const MOST_FOUND = 100

/** A document that others wrote, which can be folded and searched. */
export function JsonTree({ value, name }: { readonly value: JsonValue; readonly name: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value])
  const words = useSignal('')
  const open = useMemo(() => levelsWithin(value, OPEN_ROWS), [value])
  const download = () =>
    save(new Blob([text], { type: 'application/json' }), `${name.replaceAll(' ', '-')}.json`)
  return (
    <section class="json" aria-label={name}>
      <div class="json-tools">
        {text.length > SEARCHED && (
          <input
            type="search"
            aria-label={`Find in ${name}`}
            placeholder="Find in it…"
            maxLength={200}
            value={words.value}
            onInput={({ currentTarget }) => put(words, currentTarget.value)}
          />
        )}
        <span class="quiet">{sizeOf(text)}</span>
        <CopyButton text={text} what={name} />
        <button type="button" class="small" onClick={download}>
          <Icon name="down" />
          Download
        </button>
      </div>
      {words.value.trim() === '' ? (
        <Part value={value} name={undefined} open={open} />
      ) : (
        <Matches value={value} words={words.value.trim()} />
      )}
    </section>
  )
}

const sizeOf = (text: string): string =>
  text.length < 1000 ? `${text.length} characters` : `${figure(Math.round(text.length / 1000))} kB`

function Matches({ value, words }: { readonly value: JsonValue; readonly words: string }) {
  const found = useMemo(() => findIn(value, words, MOST_FOUND), [value, words])
  return (
    <>
      <p class="quiet" role="status">
        {found.length === MOST_FOUND ? `The first ${MOST_FOUND} places` : `${found.length} places`}
      </p>
      <ul class="json-found">
        {found.map((one) => (
          <li key={one.path}>
            <span class="path">
              <Foreign text={one.path} />
            </span>
            <Part value={one.value} name={undefined} open={0} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface PartProps {
  readonly value: JsonValue
  /** Its name in quotes; undefined for an item of a list. */
  readonly name: string | undefined
  /** How many levels are open at first. */
  readonly open: number
}

function Part({ value, name, open }: PartProps) {
  const label = name === undefined ? null : <Label name={name} />
  if (!isNested(value))
    return (
      <span class="leaf">
        {label}
        <Simple value={value} />
      </span>
    )
  return <Nested value={value} label={label} open={open} />
}

function Nested({ value, label, open }: { value: JsonValue; label: ComponentChild; open: number }) {
  const isOpen = useSignal(open > 0)
  const most = useSignal(100)
  const entries = isOpen.value ? entriesOf(value) : []
  return (
    <details
      class="nested"
      open={isOpen.value}
      onToggle={({ currentTarget }) => put(isOpen, currentTarget.open)}
    >
      <summary>
        {label}
        <span class="quiet">{summaryOf(value)}</span>
      </summary>
      <ul>
        {entries.slice(0, most.value).map((entry) => (
          <li key={entry.name}>
            <Part value={entry.value} name={isList(value) ? undefined : entry.name} open={open - 1} />
          </li>
        ))}
      </ul>
      {entries.length > most.value && (
        <button type="button" class="link" onClick={() => put(most, most.value + 100)}>
          Show 100 more of {figure(entries.length)}
        </button>
      )}
    </details>
  )
}

function Label({ name }: { readonly name: string }) {
  return (
    <span class="label">
      <Foreign text={name} />
      {': '}
    </span>
  )
}

/** Longer texts are cut in the tree; the copy has all of it. */
const LONGEST = 2000

function Simple({ value }: { readonly value: JsonValue }) {
  const text = JSON.stringify(value)
  return (
    <span class={`value ${value === null ? 'null' : typeof value}`}>
      <Foreign text={text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text} />
    </span>
  )
}
