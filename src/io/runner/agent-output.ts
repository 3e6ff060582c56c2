import type { Outcome, RunContext } from '../../engine/ports/run-ports.ts'
import { RunError } from '../../engine/ports/run-ports.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { findUnstorable, isJsonObject, type Json } from '../../protocol/json/json.ts'
import { readAs } from '../../protocol/read-as.ts'
import { RunnerEvent } from '../../protocol/run/event.ts'

type Emit = RunContext['emit']
type Bytes = AsyncIterable<Uint8Array>

/** In characters. */
const LONGEST_LINE = 1024 * 1024

/** Everything that a command writes is its answer, sent on piece by piece; no character is cut in two. */
export async function readText(bytes: Bytes, emit: Emit): Promise<Outcome> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const chunk of bytes) {
    const delta = decoder.decode(chunk, { stream: true })
    if (delta !== '') await emit({ type: 'text', delta })
  }
  const rest = decoder.decode()
  if (rest !== '') await emit({ type: 'text', delta: rest })
  return {}
}

/** Every line is a run event as JSON; `{"type":"completed","output":…}` gives the result as data. */
export async function readEvents(bytes: Bytes, emit: Emit): Promise<Outcome> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let unfinished = ''
  let number = 0
  let outcome: Outcome = {}
  const take = async (line: string): Promise<void> => {
    number++
    if (line.trim() === '') return
    const event = eventIn(line, number)
    if (event.type === 'completed') outcome = { output: event.output }
    else await emit(event)
  }
  for await (const chunk of bytes) {
    const lines = (unfinished + decoder.decode(chunk, { stream: true })).split('\n')
    unfinished = lines.pop() ?? ''
    if (unfinished.length > LONGEST_LINE) throw bad(number + 1, `is longer than ${LONGEST_LINE / 1024} KiB`)
    for (const line of lines) await take(line)
  }
  await take(unfinished + decoder.decode())
  return outcome
}

type ParsedLine = RunnerEvent | { readonly type: 'completed'; readonly output: Json }

function eventIn(line: string, number: number): ParsedLine {
  const value = jsonIn(line)
  if (value === undefined) throw bad(number, 'is not JSON')
  const unstorable = findUnstorable(value)
  if (unstorable !== undefined) throw bad(number, `cannot be kept: ${unstorable}`)
  if (isJsonObject(value) && value['type'] === 'completed')
    return { type: 'completed', output: value['output'] ?? null }
  return readAs(RunnerEvent, value, ({ field, problem, isMissing }) => {
    const about = `${field === '' ? 'it' : field} ${isMissing ? 'is required' : problem}`
    return bad(number, `is no run event: ${about}`)
  })
}

const bad = (line: number, problem: string): RunError =>
  new RunError({
    kind: 'bad_output',
    message: `Line ${line} of the agent's output ${problem}`,
    data: { line },
  })
