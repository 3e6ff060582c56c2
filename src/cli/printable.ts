/** What others wrote is shown, never obeyed: no control character of theirs reaches the terminal. */
export function printable(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]/gu,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** Whether it can be a word of a command line as it is shown: on one line, and no option. */
export const isPasteable = (text: string): boolean =>
  printable(text) === text && !/[\n\t]/.test(text) && !text.startsWith('-')
