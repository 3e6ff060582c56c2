/** What others wrote is shown, never obeyed: no control character of theirs reaches the terminal. */
export function printable(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]/gu,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** The same on one line, as in tables and lists: nobody else writes a line of its own there. */
export const printableLine = (text: string): string =>
  printable(text).replaceAll(/\s*[\n\t\u2028\u2029]\s*/g, ' ')

/** Whether it can be a word of a command line as it is shown: on one line, and no option. */
export const isPasteable = (text: string): boolean =>
  printable(text) === text && !/[\n\t]/.test(text) && !text.startsWith('-')
