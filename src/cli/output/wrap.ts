import { stripVTControlCharacters } from 'node:util'

interface Margins {
  /** Columns that a line may take. */
  readonly width: number
  /** In front of the first line. */
  readonly first?: string
  /** Spaces in front of the others. */
  readonly hanging?: number
}

/** Breaks a text between its words. A word that is too long stays whole, so that it can be copied. */
export function wrapped(text: string, { width, first = '', hanging = 0 }: Margins): string {
  const indent = ' '.repeat(hanging)
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const word of text.split(' ')) {
    const longer = isEmpty ? line + word : `${line} ${word}`
    if (isEmpty || columnsOf(longer) <= width) line = longer
    else {
      lines.push(line)
      line = indent + word
    }
    isEmpty = false
  }
  return [...lines, line].join('\n')
}

/** Colours take no room. */
const columnsOf = (text: string): number => [...stripVTControlCharacters(text)].length
