import { CommanderError } from 'commander'
import { inCommandWords } from '../output/command-wording.ts'
import { printable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'

/** The command line itself is wrong; nothing was tried. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly next: string | undefined

  constructor(message: string, next?: string) {
    super(message)
    this.next = next
  }
}

/** The command line is right, and what could be done was done, but that is not what was hoped for. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly kind: string
  readonly next: string | undefined
  readonly data: unknown

  constructor(message: string, kind: string, next?: string, data?: unknown) {
    super(message)
    this.kind = kind
    this.next = next
    this.data = data
  }
}

/** Ends a command with this exit code when everything there is to say has been printed. */
export class ExitWith extends Error {
  override readonly name = 'ExitWith'
  /**
   * 0 done, 1 refused or failed, 2 the command line or its params are wrong, 3 not decided yet; or that of a command that
   * was run.
   */
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** As the failure of a command: none for 0. */
export const exitWith = (exitCode: number): ExitWith | undefined =>
  exitCode === 0 ? undefined : new ExitWith(exitCode)

/** What people are told beside a refusal. */
export interface Advice {
  /** The line to paste for the call that it advises, to the same daemon and as the same agent. */
  readonly line?: string
  /** A sentence of it with names in place of ids. */
  inWords(sentence: string): string
}

export const NO_ADVICE: Advice = { inWords: (sentence) => sentence }

/** Prints an error, for people with a line to paste where there is one, or as JSON, and returns its exit code. */
export function report(
  error: unknown,
  terminal: Terminal,
  { json, advice = NO_ADVICE }: { json: boolean; advice?: Advice | undefined },
): number {
  // Help and version end a command line this way too; what there was to say has been said.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  if (error instanceof CommanderError && error.code === 'commander.help') return 2
  if (error instanceof ExitWith) return error.exitCode
  const failure = describe(error)
  const { line, inWords } = advice
  if (json) terminal.print(`${JSON.stringify({ error: failure })}\n`)
  else {
    const next = failure.next === undefined ? [] : [`next: ${printable(inWords(failure.next))}`]
    const pasted = line === undefined ? [] : [`  ${printable(line)}`]
    // In one piece: nothing that is logged at the same time comes between the error and its next step.
    terminal.complain(`${[`error: ${printable(inWords(failure.message))}`, ...next, ...pasted].join('\n')}\n`)
  }
  return WRONG.has(failure.kind) ? 2 : 1
}

interface Failure {
  code?: number
  kind: string
  message: string
  next?: string
  data?: unknown
}

/** Kinds of errors that the same command line would meet again, so their exit code is 2. */
const WRONG = new Set(['usage', 'invalid_params', 'parse_error', 'method_not_found'])

/** Compared by name, so that the modules that define these classes need not be loaded. */
const USAGE = new Set(['UsageError', 'ConfigError', 'CommanderError'])

function describe(thrown: unknown): Failure {
  const error: Error & Partial<Failure> = thrown instanceof Error ? thrown : new Error(String(thrown))
  // The name of a method that does not exist is what the caller typed, and has no command.
  const say = error.kind === 'method_not_found' ? NO_ADVICE.inWords : inCommandWords
  return {
    ...(typeof error.code === 'number' ? { code: error.code } : {}),
    kind: USAGE.has(error.name) ? 'usage' : (error.kind ?? 'failed'),
    message: say(error.message.replace(/^error: /, '')),
    ...(error.next === undefined ? {} : { next: inCommandWords(error.next) }),
    ...(error.data === undefined ? {} : { data: error.data }),
  }
}
