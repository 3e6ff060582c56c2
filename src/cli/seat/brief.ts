import { calling } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { numberGiven } from '../form/number-given.ts'
import { AGENT_ID } from '../form/options.ts'
import { printable } from '../output/printable.ts'

/** The text is for a model, so it stands alone on stdout; nothing at all where there is nothing to say. */
export const brief = command({
  about: 'tell what the project is about, how things stand here and what changed, for a model to read',
  options: {
    '--since <cursor>':
      'only what stands open and what others changed since; the cursor that the brief before names, or `cacpd feed` answers',
    '--budget <tokens>': 'how long it may be, from 100 to 20000 (default: 1500)',
    '--project <project>': 'ID or name: only of this project',
    ...AGENT_ID,
  },
  examples: [
    'cacpd brief',
    'cacpd brief --since 01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41 --budget 500',
    'cacpd brief --json                  # with the cursor as a value',
  ],
  ask: ({ since, budget: tokens, project: projectId }) => {
    const budget = numberGiven(tokens, /^[1-9]\d{2,4}$/, WRONG_BUDGET)
    return calling('cacp/brief', { since, budget, projectId })
  },
  show: ({ text }) => (text === '' ? undefined : printable(text)),
  footnote: ({ text, cursor }, { self }) =>
    text === '' ? undefined : `next: what changes after this: ${self} brief --since ${cursor}`,
})

const WRONG_BUDGET = '--budget: must be a whole number of tokens from 100 to 20000, such as 1500'
