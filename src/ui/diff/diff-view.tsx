import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Loading } from '../frame/answer.tsx'
import { isAllOpen } from '../frame/unfold.ts'
import type { JsonValue } from '../json/value.ts'
import { put } from '../put.ts'
import { figure } from '../text/figures.ts'
import { Foreign } from '../text/foreign.tsx'
import { foldRows, type Stretch } from './fold.ts'
import type { DiffRow, Line } from './rows.ts'
import { useDiff } from './use-diff.ts'
import { markWords, type Word } from './words.ts'

export type DiffMode = 'split' | 'inline'

interface DiffViewProps {
  readonly before: JsonValue
  readonly after: JsonValue
  readonly mode: DiffMode
  /** How the two are called, such as `version 1`. */
  readonly names: readonly [string, string]
}

/** Rows added at a time: more in the page at once would make it slow. */
const PAGE = 80

/** Two documents beside each other, or in one column, with what differs marked. */
export function DiffView({ before, after, mode, names }: DiffViewProps) {
  const gathered = useDiff(before, after)
  const most = useSignal(PAGE)
  const stretches = useMemo(() => foldRows(gathered?.items ?? []), [gathered])
  if (gathered === undefined) return <Loading />
  if (gathered.items.every(({ is }) => is === 'same') && !gathered.isCut)
    return <p class="quiet">There is no difference in the content.</p>
  const { shown, left } = firstRows(stretches, most.value)
  return (
    <div class={`diff ${mode}`}>
      <table>
        <caption class="visually-hidden">
          What differs between {names[0]} and {names[1]}
        </caption>
        <thead>
          <tr>
            {mode === 'split' ? (
              <>
                <th scope="col">{names[0]}</th>
                <th scope="col">{names[1]}</th>
              </>
            ) : (
              <th scope="col">
                {names[0]} → {names[1]}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((stretch, index) => (
            <StretchRows key={index} stretch={stretch} mode={mode} />
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button type="button" onClick={() => put(most, most.value + PAGE)}>
          Show more: {figure(left)} lines are left
        </button>
      )}
      {gathered.isCut && (
        <p class="quiet">These documents are too large to be compared line by line to the end.</p>
      )}
    </div>
  )
}

function firstRows(stretches: readonly Stretch[], most: number): { shown: readonly Stretch[]; left: number } {
  const shown: Stretch[] = []
  let [room, left] = [most, 0]
  for (const stretch of stretches) {
    const size = stretch.isFolded ? 1 : stretch.rows.length
    if (room <= 0) left += size
    else if (size <= room) shown.push(stretch)
    else {
      shown.push({ ...stretch, rows: stretch.rows.slice(0, room) })
      left += size - room
    }
    room -= size
  }
  return { shown, left }
}

function StretchRows({ stretch, mode }: { readonly stretch: Stretch; readonly mode: DiffMode }) {
  const isOpen = useSignal(false)
  const most = useSignal(PAGE)
  const { rows, isFolded } = stretch
  if (isFolded && !isOpen.value && !isAllOpen.value)
    return (
      <tr class="fold">
        <td colSpan={mode === 'split' ? 2 : 1}>
          <button type="button" class="link" onClick={() => put(isOpen, true)}>
            {figure(rows.length)} lines are the same
          </button>
        </td>
      </tr>
    )
  const Row = mode === 'split' ? SplitRow : InlineRows
  return (
    <>
      {rows.slice(0, isFolded ? most.value : rows.length).map((row, index) => (
        <Row key={index} row={row} />
      ))}
      {isFolded && rows.length > most.value && (
        <tr class="fold">
          <td colSpan={mode === 'split' ? 2 : 1}>
            <button type="button" class="link" onClick={() => put(most, most.value + PAGE)}>
              Show {PAGE} more lines
            </button>
          </td>
        </tr>
      )}
    </>
  )
}

function SplitRow({ row }: { readonly row: DiffRow }) {
  const [before, after] = sides(row)
  return (
    <tr>
      <Side line={row.before} words={before} mark={row.is === 'same' ? 'same' : 'removed'} />
      <Side line={row.after} words={after} mark={row.is === 'same' ? 'same' : 'added'} />
    </tr>
  )
}

function InlineRows({ row }: { readonly row: DiffRow }) {
  const [before, after] = sides(row)
  if (row.is === 'same')
    return (
      <tr>
        <Side line={row.after} words={after} mark="same" />
      </tr>
    )
  return (
    <>
      {row.before !== undefined && (
        <tr>
          <Side line={row.before} words={before} mark="removed" />
        </tr>
      )}
      {row.after !== undefined && (
        <tr>
          <Side line={row.after} words={after} mark="added" />
        </tr>
      )}
    </>
  )
}

const whole = (line: Line | undefined): readonly Word[] => [{ text: line?.text ?? '', isChanged: false }]

function sides({ is, before, after }: DiffRow): readonly [readonly Word[], readonly Word[]] {
  if (is !== 'changed' || before === undefined || after === undefined) return [whole(before), whole(after)]
  const [x, y] = [withoutComma(before.text), withoutComma(after.text)]
  const [a, b] = markWords(x.text, y.text)
  return [
    [...a, { text: x.comma, isChanged: false }],
    [...b, { text: y.comma, isChanged: false }],
  ]
}

/** Whether something follows a value is no difference of the value. */
const withoutComma = (text: string): { text: string; comma: string } =>
  text.endsWith(',') ? { text: text.slice(0, -1), comma: ',' } : { text, comma: '' }

interface SideProps {
  readonly line: Line | undefined
  readonly words: readonly Word[]
  readonly mark: 'same' | 'added' | 'removed'
}

const MARKS = { same: '', added: '+', removed: '−' } as const

function Side({ line, words, mark }: SideProps) {
  if (line === undefined) return <td class="none" />
  const text = <Words words={words} mark={mark} />
  return (
    <td class={mark} style={{ '--depth': line.depth }}>
      <span class="mark" aria-hidden="true">
        {MARKS[mark]}
      </span>
      {mark === 'same' ? (
        <code>{text}</code>
      ) : (
        <code>
          <span class="visually-hidden">{mark}: </span>
          {mark === 'added' ? <ins>{text}</ins> : <del>{text}</del>}
        </code>
      )}
    </td>
  )
}

function Words({ words, mark }: Pick<SideProps, 'words' | 'mark'>) {
  return words.map(({ text, isChanged }, index) =>
    isChanged && mark !== 'same' ? (
      <strong key={index}>
        <Foreign text={text} />
      </strong>
    ) : (
      <Foreign text={text} />
    ),
  )
}
