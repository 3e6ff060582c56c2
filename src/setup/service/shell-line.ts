/** Words as one command line for a POSIX shell, or for that of Windows. */
export const shellLine = (words: readonly string[], isWindows: boolean): string =>
  words.map((word) => (isWindows ? inDoubleQuotes(word) : inSingleQuotes(word))).join(' ')

const PLAIN = /^[\w@%+=:,./-]+$/

const inSingleQuotes = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const inDoubleQuotes = (word: string): string => (/^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`)
