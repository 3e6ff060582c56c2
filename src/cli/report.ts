import { CommanderError } from 'commander'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** The command line itself is wrong; nothing was tried. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Tells what went wrong, to people or to a program, and returns the exit code for it. */
export function report(error: unknown, terminal: Terminal, { json }: { json: boolean }): 0 | 1 | 2 {
  // Help and version end a command line this way too; what there was to say has been said.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  if (error instanceof CommanderError && error.code === 'commander.help') return 2

  const failure = describe(error)
  if (json) terminal.print(`${JSON.stringify({ error: failure })}\n`)
  else {
    terminal.complain(`error: ${printable(failure.message)}\n`)
    if (failure.next !== undefined) terminal.complain(`next: ${printable(failure.next)}\n`)
  }
  return failure.kind === 'usage' ? 2 : 1
}

interface Failure {
  code?: number
  kind: string
  message: string
  next?: string
  data?: unknown
}

/** By name, so that wrong usage is told without loading what only a call needs. */
const USAGE = new Set(['UsageError', 'ConfigError', 'CommanderError'])

function describe(thrown: unknown): Failure {
  const error: Error & Partial<Failure> = thrown instanceof Error ? thrown : new Error(String(thrown))
  return {
    ...(typeof error.code === 'number' ? { code: error.code } : {}),
    kind: USAGE.has(error.name) ? 'usage' : (error.kind ?? 'failed'),
    message: error.message.replace(/^error: /, ''),
    ...(error.next === undefined ? {} : { next: error.next }),
    ...(error.data === undefined ? {} : { data: error.data }),
  }
}
