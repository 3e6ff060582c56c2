import type { CallFlags } from './with-daemon.ts'

/** By how a word or option is written, such as `<url>`, `[peer]` or `--limit <number>`: what it is. */
export type Texts = Readonly<Record<string, string>>
export type OptionTexts = Readonly<Record<string, string | OptionText>>

export interface OptionText {
  readonly about: string
  readonly choices?: readonly string[]
  readonly default?: string
  readonly required?: true
  /** From the word to its value; `before` is the value of the same option earlier in the line. */
  readonly parse?: (word: string, before: unknown) => unknown
}

/** What a command line gives a command that takes these words and options, under their names in camel case. */
export type Given<Words extends Texts, Options extends OptionTexts> = CallFlags & {
  readonly [Form in keyof Words & string as NameOf<Form>]: WordValue<Form>
} & {
  readonly [Form in keyof Options & string as Camel<Long<Form>>]:
    | OptionValue<Form, Options[Form]>
    | (Options[Form] extends { default: string } | { required: true } ? never : undefined)
}

type NameOf<Form> = Form extends `${'<' | '['}${infer Name}...${string}`
  ? Name
  : Form extends `${'<' | '['}${infer Name}${'>' | ']'}`
    ? Name
    : never

type WordValue<Form> = Form extends `${string}...${string}`
  ? readonly string[]
  : Form extends `<${string}`
    ? string
    : string | undefined

type Long<Form> = Form extends `${string}--${infer Name} ${string}`
  ? Name
  : Form extends `${string}--${infer Name}`
    ? Name
    : never

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

type OptionValue<Form, Text> = Form extends `${string}...>`
  ? readonly string[]
  : Form extends `${string} [${string}`
    ? string | true
    : Form extends `${string} <${string}`
      ? Text extends { choices: readonly (infer Choice)[] }
        ? Choice
        : Text extends { parse: (word: string, before: unknown) => infer Value }
          ? Value
          : string
      : true
