import { command } from '../form/command.ts'
import { hook, PATIENCE_MILLIS } from './hook.ts'

/** For help and completion; `main.ts` runs hooks without the rest of the command line. */
export const hookCommand = command({
  about: 'what the hooks of coding agents run',
  isCommon: false,
  words: {
    '[client]': 'claude, codex or cursor',
    '[event]': 'SessionStart, UserPromptSubmit or Stop; of cursor sessionStart or stop',
  },
  note: `Reads what the client says on stdin. Prints what is new since this session was told last, in the client's own format;
nothing where nothing is new, no daemon runs, or anything fails. Stop keeps an agent going only for items that came into
the inbox since, and never twice in a row. \`cacpd init --hooks\` writes the configuration.`,
  examples: [`echo '{"session_id":"s1"}' | cacpd hook claude SessionStart`],
  run: ({ client, event }, terminal) => {
    const words = [client, event].filter((word) => word !== undefined)
    return hook(words, { ...terminal, patienceMillis: PATIENCE_MILLIS })
  },
})
