import { type Command, CommanderError } from 'commander'
import { commandAt } from '../output/command-at.ts'

/**
 * Throws what is wrong with a command line. An option that is mistyped is also one that is missing, and commander tells
 * that first; but whoever wrote it wants to know of the mistake.
 */
export async function reportUnknownOption(
  error: unknown,
  program: Command,
  words: readonly string[],
): Promise<never> {
  if (!(error instanceof CommanderError) || error.code !== 'commander.missingMandatoryOptionValue')
    throw error
  const { command, rest } = commandAt(program, words)
  for (const option of command.options) option.makeOptionMandatory(false)
  await command
    .action(() => {})
    .parseAsync([...rest], { from: 'user' })
    .catch((other: unknown) => {
      if (other instanceof CommanderError && other.code === 'commander.unknownOption') throw other
    })
  throw error
}
