import { type Command, CommanderError } from 'commander'
import { nearTo } from '../../protocol/text/closest.ts'
import { commandAt } from '../output/command-at.ts'
import { UsageError } from './report.ts'

const UNKNOWN = /unknown command '(.*?)'/s

/** Throws what is wrong with a command line: of a command that there is not, with the one that may be meant. */
export function reportUnknownCommand(error: unknown, program: Command, words: readonly string[]): never {
  const [problem, word] = UNKNOWN.exec(error instanceof Error ? error.message : '') ?? []
  if (!(error instanceof CommanderError) || problem === undefined || word === undefined) throw error
  const { command } = commandAt(program, words)
  const path = command === program ? [] : [command.name()]
  const meant = meantBelow(command, word)
  if (meant === undefined)
    throw new UsageError(problem, `${['cacpd', ...path, '--help'].join(' ')} lists all commands`)
  throw new UsageError(`${problem}\n(Did you mean ${[...path, meant].join(' ')}?)`)
}

/** A command of nearly this name, or the option of one that takes the word. */
function meantBelow(command: Command, word: string): string | undefined {
  const below = command.createHelp().visibleCommands(command)
  for (const one of below)
    for (const { long, argChoices = [] } of one.options)
      if (argChoices.includes(word) && long != null) return `${one.name()} ${long} ${word}`
  return nearTo(
    word,
    below.map((one) => one.name()),
  )
}
