import { oneLine } from '../domain/names/quoted.ts'
import { Fault } from '../protocol/fault.ts'
import { isJsonObject } from '../protocol/json/json.ts'
import { AGENT_METHODS } from './agent-methods.ts'
import { lines } from './text.ts'
import { nextText } from './tools/inbox-text.ts'
import { inToolWords } from './tools/tool-call.ts'

export function failureText(thrown: unknown): string {
  const { message, next, data } = isForCaller(thrown) ? thrown : UNEXPECTED
  const { cursor, call } = data ?? {}
  // A fault about an unknown method lists method names, which stay as they are.
  const isAboutMethods = thrown instanceof Fault && thrown.kind === 'method_not_found'
  // It may contain names that others chose.
  const inOwnWords = (text: string) => (isAboutMethods ? oneLine(text) : inToolWords(oneLine(text)))
  return lines(
    inOwnWords(message),
    next === undefined ? undefined : `next: ${inOwnWords(next)}`,
    isJsonObject(call) && AGENT_METHODS.has(String(call['method'])) && `as a call: ${nextText(call)}`,
    // The cursor to go on from, after an invalid one.
    typeof cursor === 'string' ? `cursor: ${cursor}` : undefined,
  )
}

interface CallerError {
  readonly message: string
  readonly next?: string | undefined
  readonly data?: Readonly<Record<string, unknown>>
}

const UNEXPECTED: CallerError = {
  message: 'Something went wrong that should not have',
  next: 'Try again; if it stays, ask the person you work for to look at the log of the daemon',
}

/** Errors with a next step were written for the caller; all others may contain internals. */
const isForCaller = (thrown: unknown): thrown is CallerError =>
  thrown instanceof Error && ((thrown instanceof Fault && thrown.kind !== 'internal') || 'next' in thrown)
