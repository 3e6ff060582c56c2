import { printableLine } from './printable.ts'

export type Level = 'error' | 'warning' | 'notice'

/** One annotation of a workflow of GitHub, on a file where one is named. */
export function annotation(level: Level, title: string, text: string, file?: string): string {
  const where = file === undefined ? '' : `file=${property(file)},`
  return `::${level} ${where}title=${property(title)}::${escaped(text)}`
}

const escaped = (text: string): string =>
  printableLine(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
