import type { Splice } from './splice.ts'

/** Keys that lead into a JSON document. */
export type JsonPath = readonly (string | number)[]

/** What to change in somebody else's file, or why it is left alone. */
export type Edit = Change | Refusal

export interface Change {
  /** None: all is as it should be. */
  readonly splices: readonly Splice[]
  /** What had to be put around our entries and goes with them when it is empty again. */
  readonly made: readonly JsonPath[]
}

export interface Refusal {
  /** Says after the name of the file what is the matter. */
  readonly refused: string
}

export const NOTHING: Change = { splices: [], made: [] }

/** How one file gets what is ours, and loses it again. Nothing else in it is touched. */
export interface SetupFile {
  /** From the root of the repository, with slashes. */
  readonly path: string
  /** What it is for, in a few words. */
  readonly purpose: string
  /** What to put in by hand where the file is left alone. */
  readonly paste: string
  /** The whole file is ours, and what is left of it is nobody's. */
  readonly isWhole: boolean
  /** Written where it is missing, and never corrected: from then on it is people's own. */
  readonly isOnce?: boolean
  put(text: string | undefined): Edit
  /** By its structure. `made` is what was remembered of putting it in; undefined where nothing was. */
  strip(text: string, made: readonly JsonPath[] | undefined): Edit
  /** Nothing that anybody would miss. */
  isBlank(text: string): boolean
}

/** Lines of a file end as most of its lines do. */
export const endOfLine = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

export const isBlankText = (text: string): boolean => text.replace(/^\uFEFF/, '').trim() === ''

/** What cannot be read is never written over. The line says where to look. */
export const notValid = (format: string, line: number | undefined): string =>
  `is not valid ${format}${line === undefined ? '' : ` (line ${line})`}, so it was left as it is`
