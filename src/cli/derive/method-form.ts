import type { Client } from '../../client.ts'
import type { MethodName, ResultOf } from '../../methods/table.ts'
import type { Answering } from '../form/answer.ts'
import type { CommandForm } from '../form/command.ts'
import type { Given, OptionTexts } from '../form/given.ts'
import type { CallFlags } from '../form/with-daemon.ts'
import type { Terminal } from '../output/terminal.ts'

export type Params = Readonly<Record<string, unknown>>

/** A word behind a command that stands for a param, so that its option can be left out. */
export interface MethodWord {
  /** Such as `[item]`. */
  readonly form: string
  readonly about: string
  readonly param: string
  /** What is said where neither the word nor the option is given; without it, both can be left out. */
  readonly missing?: string
}

/**
 * What the command of a method takes and shows beyond what follows from the method's row: words for its params, more
 * options, and in the fields of `Answering` how its result is shown. What is known beyond the result are, unless
 * `learn` says otherwise, the names of its repos.
 */
export interface MethodForm<Flags = CallFlags, Result = unknown, Known = unknown>
  extends Answering<Flags, Result, Known> {
  /** Default: the summary of the method. */
  readonly about?: string
  readonly words?: readonly MethodWord[]
  /** The params that have an option; default: all. The others `adjust` or `ask` may give. */
  readonly only?: readonly string[]
  readonly options?: OptionTexts
  readonly note?: string
  /** Default: the example of the method. */
  readonly examples?: readonly string[]
  /** The params with what other options or the terminal say; checked by the method's schema after that. */
  adjust?(params: Params, given: Flags, terminal: Terminal): Params
  /** In place of the plain call. */
  ask?(client: Client, params: never, more: { given: Flags; terminal: Terminal }): Promise<Result>
}

/** Takes a form with the types of the method's result and of the options. */
export type TakesForm<Made> = <
  Name extends MethodName,
  const Options extends OptionTexts = Record<never, never>,
  Result = ResultOf<Name>,
  Known = ReadonlyMap<string, string>,
>(
  method: Name,
  form: MethodForm<Given<Record<never, never>, Options>, Result, Known> & { readonly options?: Options },
) => Made

export const methodForm: TakesForm<MethodForm> = (_method, form) => form

/** A group of methods that has more than the commands that follow from their rows. */
export interface GroupForm {
  /** By the last word of their names. */
  readonly methods?: Readonly<Record<string, MethodForm>>
  readonly commands?: Readonly<Record<string, CommandForm>>
}
