/** What others wrote is shown, never obeyed: no control character of theirs reaches the terminal. */
export function printable(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]/gu,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
