import { oneLine } from '../domain/names/quoted.ts'
import { Fault } from '../protocol/fault.ts'
import { isJsonObject } from '../protocol/json/json.ts'
import { lines } from './text.ts'
import { inToolWords, isForAgents } from './tool-words.ts'
import { nextText } from './tools/inbox-text.ts'

/** What went wrong, and what to do about it. */
export function failureText(thrown: unknown): string {
  const { message, next, data } = isMeantToBeTold(thrown) ? thrown : UNEXPECTED
  const { cursor, call } = data ?? {}
  // Whoever called a method that there is not wants to know which there are.
  const isOfMethods = thrown instanceof Fault && thrown.kind === 'method_not_found'
  // Names that others chose may stand in it.
  const told = (text: string) => (isOfMethods ? oneLine(text) : inToolWords(oneLine(text)))
  return lines(
    told(message),
    next === undefined ? undefined : `next: ${told(next)}`,
    isJsonObject(call) && isForAgents(String(call['method'])) ? `as a call: ${nextText(call)}` : undefined,
    // Where to go on from, after one that is no good any more.
    typeof cursor === 'string' ? `cursor: ${cursor}` : undefined,
  )
}

interface Told {
  readonly message: string
  readonly next?: string | undefined
  readonly data?: Readonly<Record<string, unknown>>
}

const UNEXPECTED: Told = {
  message: 'Something went wrong that should not have',
  next: 'Try again; if it stays, ask the person you work for to look at the log of the daemon',
}

/** Errors that say what to do next were written for the caller; all others may tell what is nobody's business. */
const isMeantToBeTold = (thrown: unknown): thrown is Told =>
  thrown instanceof Error && ((thrown instanceof Fault && thrown.kind !== 'internal') || 'next' in thrown)
