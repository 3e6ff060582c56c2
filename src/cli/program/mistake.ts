import { type Command, CommanderError } from 'commander'
import { nearTo } from '../../protocol/text/closest.ts'
import { commandAt, pathOf } from '../output/command-at.ts'
import { UsageError } from './report.ts'

const UNKNOWN = /unknown command '(.*?)'/s

/** Throws what is wrong with a command line, with what may be meant or where to read how it is right. */
export async function reportMistake(
  error: unknown,
  program: Command,
  words: readonly string[],
): Promise<never> {
  if (!(error instanceof CommanderError)) throw error
  const { command, rest } = commandAt(program, words)
  const isMissing = error.code === 'commander.missingMandatoryOptionValue'
  const mistake = (isMissing ? await unknownOption(command, rest) : undefined) ?? error
  const [problem, word] = UNKNOWN.exec(mistake.message) ?? []
  const path = command === program ? [] : [command.name()]
  const meant = word === undefined ? undefined : meantBelow(command, word)
  if (meant !== undefined) throw new UsageError(`${problem}\n(Did you mean ${[...path, meant].join(' ')}?)`)
  if (problem !== undefined)
    throw new UsageError(problem, `${['cacpd', ...path, '--help'].join(' ')} lists all commands`)
  const isHelp = mistake.exitCode === 0 || mistake.code === 'commander.help'
  if (isHelp || mistake.message.includes('(Did you mean')) throw mistake
  throw new UsageError(mistake.message, `See ${pathOf(command)} --help`)
}

/**
 * An option that is mistyped is also one that is missing, and commander tells that first; but whoever wrote it wants to
 * know of the mistake.
 */
async function unknownOption(command: Command, words: readonly string[]) {
  for (const option of command.options) option.makeOptionMandatory(false)
  try {
    await command.action(() => {}).parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.unknownOption') return error
  }
  return undefined
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
