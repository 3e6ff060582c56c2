import { useSignal } from '@preact/signals'
import type { ResultOf } from '../../../methods/table.ts'
import { Icon } from '../../frame/icon.tsx'
import { put } from '../../put.ts'
import { ForeignCode } from '../../text/foreign.tsx'

type Difference = ResultOf<'cacp/contract/diff'>['differences'][number]

const MARKS = {
  '+': { icon: 'plus', word: 'added', tone: 'good' },
  '-': { icon: 'minus', word: 'removed', tone: 'bad' },
  '~': { icon: 'tilde', word: 'changed', tone: 'warn' },
} as const

const PAGE = 12

/** What changed, field by field. */
export function ChangedFields({
  differences,
  isCut,
}: {
  differences: readonly Difference[]
  isCut: boolean
}) {
  const most = useSignal(PAGE)
  if (differences.length === 0) return <p class="quiet">No field of the content changes.</p>
  return (
    <>
      <ul class="fields">
        {differences.slice(0, most.value).map(({ mark, path, before, after }) => (
          <li key={`${mark} ${path}`}>
            <span class={`field-mark ${MARKS[mark].tone}`}>
              <Icon name={MARKS[mark].icon} />
              <span class="visually-hidden">{MARKS[mark].word}</span>
            </span>
            <ForeignCode class="path" text={path === '' ? 'all of it' : path} />
            <span class="field-values">
              {mark !== '+' && (
                <del>
                  <span class="visually-hidden">before: </span>
                  <Short value={before} />
                </del>
              )}
              {mark === '~' && <span aria-hidden="true">→</span>}
              {mark !== '-' && (
                <ins>
                  <span class="visually-hidden">after: </span>
                  <Short value={after} />
                </ins>
              )}
            </span>
          </li>
        ))}
      </ul>
      {differences.length > most.value && (
        <button type="button" class="link" onClick={() => put(most, most.value + 100)}>
          Show {Math.min(100, differences.length - most.value)} more of {differences.length} changed fields
        </button>
      )}
      {isCut && <p class="quiet">More fields differ than are told here.</p>}
    </>
  )
}

const LONGEST = 160

function Short({ value }: { readonly value: unknown }) {
  const text = JSON.stringify(value) ?? ''
  return <ForeignCode text={text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text} />
}
