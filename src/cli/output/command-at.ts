import type { Command } from 'commander'

/** The command that these words name, and what follows it. */
export function commandAt(program: Command, words: readonly string[]) {
  let command = program
  let rest = words
  for (let next = named(command, rest[0]); next !== undefined; next = named(command, rest[0])) {
    command = next
    rest = rest.slice(1)
  }
  return { command, rest }
}

const named = (command: Command, word: string | undefined): Command | undefined =>
  command.commands.find((one) => word !== undefined && [one.name(), ...one.aliases()].includes(word))

/** `cacpd contract get`, as it is typed. */
export const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
