/** The keys that lead to a value in a JSON document. */
export type JsonPath = readonly (string | number)[]

/** What to change in a file that belongs to the user, or why it is left alone. */
export type Edit = Change | Refusal

export interface Change {
  /** None where the file is in order already. */
  readonly splices: readonly Splice[]
  /** The objects that had to be made around our entries. They go with the entries when they are empty again. */
  readonly made: readonly JsonPath[]
}

export interface Refusal {
  /** Why, as the rest of a sentence that begins with the name of the file. */
  readonly refused: string
}

export const NOTHING: Change = { splices: [], made: [] }

/** How our part is put into one file and removed from it again. Nothing else in it is changed. */
export interface SetupFile {
  /** From the root of the repository, with slashes. */
  readonly path: string
  /** What it is for, in a few words. */
  readonly purpose: string
  /** What the user can put in by hand where the file is left alone. */
  readonly paste: string
  /** The whole file is ours, so what is left of it can be removed. */
  readonly isWhole?: boolean
  /** Written where the file is missing, and never corrected: from then on it belongs to the people. */
  readonly isOnce?: boolean
  put(text: string | undefined): Edit
  /** Takes our entries out by the structure of the file. `made` was remembered from putting them in, if at all. */
  strip(text: string, made: readonly JsonPath[] | undefined): Edit
  /** Whether the text holds nothing that anybody would miss. */
  isBlank(text: string): boolean
}

export const endOfLine = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

export const isBlankText = (text: string): boolean => text.replace(/^\uFEFF/, '').trim() === ''

/** A file that cannot be parsed is never overwritten. The line says where the problem is. */
export const notValid = (format: string, line: number | undefined): string =>
  `is not valid ${format}${line === undefined ? '' : ` (line ${line})`}, so it was left as it is`

/** One change of a text; the position refers to the text after the changes before it. */
export interface Splice {
  readonly at: number
  readonly removed: string
  readonly inserted: string
}

export const insertion = (at: number, inserted: string): Splice => ({ at, removed: '', inserted })

export const removal = (text: string, from: number, to: number): Splice => ({
  at: from,
  removed: text.slice(from, to),
  inserted: '',
})

export const applySplices = (text: string, splices: readonly Splice[]): string =>
  splices.reduce(
    (sofar, { at, removed, inserted }) => sofar.slice(0, at) + inserted + sofar.slice(at + removed.length),
    text,
  )

/** The text before these changes. Undefined where one of them cannot have led to this text. */
export function undoSplices(text: string, splices: readonly Splice[]): string | undefined {
  let before = text
  for (const { at, removed, inserted } of splices.toReversed()) {
    if (!before.startsWith(inserted, at)) return undefined
    before = before.slice(0, at) + removed + before.slice(at + inserted.length)
  }
  return before
}
