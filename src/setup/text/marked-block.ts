import { sha256 } from '../../protocol/text/sha256.ts'
import { type Edit, endOfLine, insertion, removal, type Splice } from '../edit.ts'

/** Tells versions apart, where nobody tries to make a collision. */
export const shortHash = (text: string): string => sha256(text).slice(0, 12)

/**
 * Lines between two marks by which they are found again: comments, which are opened and closed so in this kind of file.
 * The hash identifies their version.
 */
export function markedBlock(
  lines: readonly string[],
  { open, close }: { readonly open: string; readonly close: string },
): string {
  const hash = shortHash(lines.join('\n'))
  return [
    `${open}BEGIN CACP INTEGRATION v1 hash:${hash}${close}`,
    ...lines,
    `${open}END CACP INTEGRATION${close}`,
  ].join('\n')
}

const BEGIN = /^[^\S\r\n]*(?:<!--|#) BEGIN CACP INTEGRATION\b.*$/gm
const END = /^[^\S\r\n]*(?:<!--|#) END CACP INTEGRATION\b.*$/gm

interface BlockPlace {
  readonly from: number
  readonly to: number
}

/** Undefined where there is no block; `broken` where the marks do not match. */
function findBlock(text: string): BlockPlace | 'broken' | undefined {
  const begins = [...text.matchAll(BEGIN)]
  const ends = [...text.matchAll(END)]
  const [begin, end] = [begins[0], ends[0]]
  if (begin === undefined && end === undefined) return undefined
  if (begins.length !== 1 || ends.length !== 1 || begin === undefined || end === undefined) return 'broken'
  if (end.index < begin.index) return 'broken'
  return { from: begin.index, to: end.index + end[0].replace(/\r$/, '').length }
}

const BROKEN_MARKS = 'has BEGIN and END CACP INTEGRATION lines that do not belong together'

/** An edit by where our block is, if there is one. */
export function editBlock(text: string, edit: (place: BlockPlace | undefined) => Edit): Edit {
  const place = findBlock(text)
  return place === 'broken' ? { refused: BROKEN_MARKS } : edit(place)
}

/** Replaces the block that is there, or appends it after an empty line. */
export function putBlock(text: string, block: string, place: BlockPlace | undefined): Splice[] {
  const eol = endOfLine(text)
  const wanted = block.replaceAll('\n', eol)
  if (place === undefined) return [appended(text, wanted)]
  const removed = text.slice(place.from, place.to)
  return removed === wanted ? [] : [{ at: place.from, removed, inserted: wanted }]
}

export function appended(text: string, lines: string): Splice {
  const eol = endOfLine(text)
  const isEmpty = /^\uFEFF?$/.test(text)
  const gap = isEmpty ? '' : /\n$/.test(text) ? eol : eol + eol
  return insertion(text.length, `${gap}${lines}${eol}`)
}

/** Includes the line end after it and the empty line before it. */
export function cutLines(text: string, { from, to }: BlockPlace): Splice {
  const end = to + (/^\r?\n/.exec(text.slice(to))?.[0].length ?? 0)
  const gap = /(?<=^|\n)\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0
  return removal(text, from - gap, end)
}
