import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LAUNCHER } from '../../launcher.ts'
import { command } from '../form/command.ts'
import { UsageError } from './report.ts'

const SHELLS = ['bash', 'zsh', 'fish']

/** The scripts know no command: each has `cacpd complete` say what can stand at the cursor, and offers that. */
export const completion = command({
  about: 'print a script that completes commands, options and names in bash, zsh or fish',
  isCommon: false,
  words: { '<shell>': 'bash, zsh or fish' },
  examples: [
    'source <(cacpd completion bash)          # in ~/.bashrc',
    'source <(cacpd completion zsh)           # in ~/.zshrc, after compinit',
    'cacpd completion fish > ~/.config/fish/completions/cacpd.fish',
  ],
  run: async ({ shell }, terminal) => {
    if (!SHELLS.includes(shell))
      throw new UsageError(`There is no completion for ${shell}: name bash, zsh or fish`)
    terminal.print(await readFile(join(dirname(LAUNCHER), 'completion', `cacpd.${shell}`), 'utf8'))
  },
})
