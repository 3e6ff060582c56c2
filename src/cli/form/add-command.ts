import type { Command } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import { type CommandForm, helpText } from './command.ts'

/** Gives a command of the parser the words, options, help, action and commands of its form. */
export function addForm(command: Command, form: CommandForm, terminal: Terminal): void {
  const { about, words, options, help, commands, run } = form
  // `--help` is enough: no command named help stands among the commands below.
  command.description(about).helpCommand(false)
  for (const word of words) command.addArgument(word)
  for (const option of options) command.addOption(option)
  command.addHelpText('after', () => helpText(help()))
  for (const [name, below] of Object.entries(commands)) addForm(command.command(name), below, terminal)
  if (run === undefined) return
  command.action((...parsed: unknown[]) => {
    const given = words.flatMap((word, index) =>
      parsed[index] === undefined ? [] : [[word.name(), parsed[index]] as const],
    )
    return run({ options: command.opts(), words: Object.fromEntries(given) }, terminal)
  })
}
