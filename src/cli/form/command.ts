import { Argument, type Command, Option } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import { type Answering, type Asking, askAndShow, showResult } from './answer.ts'
import type { Given, OptionText, OptionTexts, Texts } from './given.ts'
import { commonOptions } from './options.ts'

/** One command as the command line knows it: what it takes, what its help says, and what it does. */
export interface CommandForm {
  readonly about: string
  readonly words: readonly Argument[]
  readonly options: readonly Option[]
  /** What its help says below the options; made when it is asked for. */
  readonly help: () => HelpText
  readonly commands: Readonly<Record<string, CommandForm>>
  /** Left out where only the commands below it do something. */
  readonly run?: ((values: Values, terminal: Terminal) => Promise<void>) | undefined
}

/** What stands in a command line: the values of the options and, by their names, of the words. */
export interface Values {
  readonly options: Readonly<Record<string, unknown>>
  readonly words: Readonly<Record<string, unknown>>
}

/**
 * A command as it is written down. What it does is one of three: `ask` says what is asked of the daemon, `result` what is
 * found out without asking it, and the fields of `Answering` how that is shown; `run` does all of it. `ask` throws what
 * is wrong with the command line before the daemon is looked for. The exit code is 0 unless something is thrown:
 * `report` says which error leads to which code.
 */
interface CommandText<Words extends Texts, Options extends OptionTexts, Result, Known>
  extends HelpText,
    Answering<Given<Words, Options>, Result, Known> {
  readonly about: string
  readonly words?: Words
  readonly options?: Options
  /** Whether `--data`, `--json` and `--times` stand before its own options; default: where it does something. */
  readonly isCommon?: boolean
  readonly commands?: Readonly<Record<string, CommandForm>>
  run?(given: Given<Words, Options>, terminal: Terminal): Promise<void>
  result?(given: Given<Words, Options>, terminal: Terminal): Promise<Result>
  ask?(given: Given<Words, Options>, terminal: Terminal): Asking<Result> | Promise<Asking<Result>>
}

interface HelpText {
  /** What there is to know besides, above the examples. */
  readonly note?: string | undefined
  readonly examples?: readonly string[]
}

export function command<
  const Words extends Texts = Record<never, never>,
  const Options extends OptionTexts = Record<never, never>,
  Result = unknown,
  Known = unknown,
>(text: CommandText<Words, Options, Result, Known>): CommandForm {
  const { about, words = {}, options = {}, commands = {}, run, result, ask } = text
  const act = async (given: Given<Words, Options>, terminal: Terminal) => {
    if (ask !== undefined) return askAndShow(await ask(given, terminal), text, { given, terminal })
    if (result === undefined) return run?.(given, terminal)
    const known = undefined as Known
    return showResult(await result(given, terminal), text, { given, terminal, known })
  }
  const isActing = (run ?? result ?? ask) !== undefined
  const { isCommon = isActing } = text
  return {
    about,
    words: Object.entries<string>(words).map(([form, what]) => new Argument(form, what)),
    options: [...(isCommon ? commonOptions() : []), ...optionsFrom(options)],
    help: () => text,
    commands,
    run: isActing
      ? (values, terminal) => act({ ...values.options, ...values.words } as Given<Words, Options>, terminal)
      : undefined,
  }
}

export const optionsFrom = (texts: OptionTexts): Option[] =>
  Object.entries(texts).map(([form, text]) =>
    optionFrom(form, typeof text === 'string' ? { about: text } : text),
  )

function optionFrom(form: string, { about, choices, default: byDefault, required, parse }: OptionText) {
  const option = new Option(form, about).default(byDefault).makeOptionMandatory(required === true)
  if (choices !== undefined) option.choices(choices)
  if (parse !== undefined) option.argParser(parse)
  return option
}

export function helpText({ note = '', examples = [] }: HelpText): string {
  const title = examples.length === 1 ? 'Example:' : 'Examples:'
  const shown = examples.length === 0 ? '' : `\n${[title, ...examples.map((line) => `  ${line}`)].join('\n')}`
  return note === '' ? shown : `\n${note}${shown === '' ? '' : `\n${shown}`}`
}

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
