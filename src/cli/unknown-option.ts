import { type Command, CommanderError } from 'commander'

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
  let command = program
  let rest = words
  for (let next = named(command, rest[0]); next !== undefined; next = named(command, rest[0])) {
    command = next
    rest = rest.slice(1)
  }
  for (const option of command.options) option.makeOptionMandatory(false)
  await command
    .action(() => {})
    .parseAsync([...rest], { from: 'user' })
    .catch((other: unknown) => {
      if (other instanceof CommanderError && other.code === 'commander.unknownOption') throw other
    })
  throw error
}

const named = (command: Command, word: string | undefined): Command | undefined =>
  command.commands.find((one) => word !== undefined && [one.name(), ...one.aliases()].includes(word))
