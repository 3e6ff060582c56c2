import type { Client } from '../../client.ts'
import type { FoundDaemon } from '../../io/place/find-daemon.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { describeReview, type Review } from '../contract/describe-review.ts'
import type { Columns } from '../output/columns.ts'
import { inCommandWords } from '../output/command-wording.ts'
import { render } from '../output/render.ts'
import { type Screen, screenOf } from '../output/screen.ts'
import type { Look } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'
import { ExitWith } from '../program/report.ts'
import { type CallFlags, isForPrograms, type OutputFlags, withDaemon } from './with-daemon.ts'

/** What is asked of the daemon, once it is found. */
export type Asking<Result> = (client: Client, daemon: FoundDaemon) => Promise<Result>

/** What becomes of an answer of the daemon. With `--json` it is printed as it came. */
export interface Answering<Given, Result, Known> {
  /** What `show` has to know beyond the result. Asked for only where people read the result. */
  learn?(result: Result, client: Client, given: Given): Promise<Known>
  /** The result for people, undefined for none; without it, all of the result in lines and tables. */
  show?(result: Result, screen: Screen, more: { given: Given; known: Known }): string | undefined
  /** Printed to stderr where people read the result. */
  footnote?(result: Result, terminal: Terminal, more: { given: Given; known: Known }): string | undefined
  /** Printed to stderr, also beside JSON. */
  hint?(result: Result, terminal: Terminal, more: { given: Given }): string | undefined
  /** Thrown when everything is printed. Beside JSON, which says it already, only its exit code tells. */
  failure?(result: Result, given: Given): Error | undefined
}

export interface Around<Given> {
  readonly given: Given
  readonly terminal: Terminal
}

export async function askAndShow<Given extends CallFlags, Result, Known>(
  ask: Asking<Result>,
  answering: Answering<Given, Result, Known>,
  { given, terminal }: Around<Given>,
): Promise<void> {
  const { result, known } = await withDaemon(given, terminal, async (client, daemon) => {
    const answer = await ask(client, daemon)
    const isRead = !isForPrograms(given)
    return { result: answer, known: isRead ? await answering.learn?.(answer, client, given) : undefined }
  })
  showResult(result, answering, { given, terminal, known: known as Known })
}

/** Prints a result, as JSON or for people, with what is to be said beside it. */
export function showResult<Given extends OutputFlags, Result, Known>(
  result: Result,
  { show, footnote, hint, failure }: Answering<Given, Result, Known>,
  { given, terminal, known }: Around<Given> & { readonly known: Known },
): void {
  const isJson = isForPrograms(given)
  const more = { given, known }
  const screen = screenOf(terminal, given)
  const inWords = () => (show === undefined ? rendered(result, screen) : show(result, screen, more))
  const text = isJson ? JSON.stringify(result) : inWords()
  if (text !== undefined) terminal.print(`${text}\n`)
  const notes = [isJson ? undefined : footnote?.(result, terminal, more), hint?.(result, terminal, more)]
  for (const note of notes) if (note !== undefined) terminal.complain(`${note}\n`)
  const error = failure?.(result, given)
  if (error !== undefined) throw isJson && !(error instanceof ExitWith) ? new ExitWith(1) : error
}

export const printResult = (result: unknown, given: OutputFlags, terminal: Terminal): void =>
  showResult(result, {}, { given, terminal, known: undefined })

/** All of a result in lines and tables. A hint in it is put into words of the command line, and a review into lines. */
export function rendered(result: unknown, look: Look, columns?: Columns): string {
  const { hint, review }: JsonObject = isJsonObject(result) ? result : {}
  const inWords = {
    ...(typeof hint === 'string' ? { hint: inCommandWords(hint) } : {}),
    ...(isReview(review) ? { review: describeReview(review, { colour: false }) } : {}),
  }
  return render(Object.keys(inWords).length === 0 ? result : { ...Object(result), ...inWords }, look, columns)
}

const isReview = (value: unknown): value is Review => isJsonObject(value) && 'findings' in value
