import { createProgram } from './program.ts'
import { report } from './report.ts'
import type { Terminal } from './terminal.ts'

/** Runs one command line and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function run(words: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  // Commander's own help command would show a group before its methods are loaded.
  const args =
    words[0] === 'help' ? [...words.slice(1), '--help'] : words.length === 0 ? ['first-run'] : words
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return report(error, terminal, { json: args.includes('--json') })
  }
}
