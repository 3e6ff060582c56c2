import { methodCommand } from '../derive/method-commands.ts'
import { printable } from '../output/printable.ts'

/** The text is for a model, so it stands alone on stdout; nothing at all where there is nothing to say. */
export const brief = methodCommand('cacp/brief', {
  examples: [
    'cacpd brief',
    'cacpd brief --since 01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41 --budget 500',
    'cacpd brief --json                  # with the cursor as a value',
  ],
  show: ({ text }) => (text === '' ? undefined : printable(text)),
  footnote: ({ text, cursor }, { self }) =>
    text === '' ? undefined : `next: what changes after this: ${self} brief --since ${cursor}`,
})
