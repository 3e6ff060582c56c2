import type { Command } from 'commander'
import type { Terminal } from '../output/terminal.ts'

/** For help and completion; `main.ts` runs hooks without the rest of the command line. */
export function addHookCommand(program: Command, terminal: Terminal): void {
  program
    .command('hook')
    .description('what the hooks of coding agents run')
    .argument('[client]', 'claude, codex or cursor')
    .argument('[event]', 'SessionStart, UserPromptSubmit or Stop; of cursor sessionStart or stop')
    .addHelpText('after', HELP)
    .action(async (client: string | undefined, event: string | undefined) => {
      const [{ hook }, { PATIENCE_MILLIS }] = await Promise.all([
        import('./hook.ts'),
        import('./hook-process.ts'),
      ])
      const words = [client, event].filter((word) => word !== undefined)
      const place = { ...terminal, patienceMillis: PATIENCE_MILLIS, readInput: () => terminal.readInput() }
      await hook(words, place)
    })
}

const HELP = `
Reads what the client says on stdin. Prints what is new since this session was told last, in the client's own format;
nothing where nothing is new, no daemon runs, or anything fails. Stop keeps an agent going only for items that came into
the inbox since, and never twice in a row. \`cacpd init --hooks\` writes the configuration.

Example:
  echo '{"session_id":"s1"}' | cacpd hook claude SessionStart`
