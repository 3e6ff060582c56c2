import { type Command, CommanderError } from 'commander'
import { commandAt } from '../output/command-at.ts'
import { UsageError } from './report.ts'

/** Throws what is wrong with a command line, with where to read how it is right, unless that is said already. */
export function reportWithHelp(error: unknown, program: Command, words: readonly string[]): never {
  const isWrong = error instanceof CommanderError && error.exitCode !== 0 && error.code !== 'commander.help'
  if (!isWrong || error.message.includes('(Did you mean')) throw error
  const path: string[] = []
  for (let at: Command | null = commandAt(program, words).command; at !== null; at = at.parent)
    path.unshift(at.name())
  throw new UsageError(error.message, `See ${path.join(' ')} --help`)
}
