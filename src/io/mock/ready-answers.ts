import type { Operation, Slot } from '../../domain/interface/model.ts'
import type { Plan } from '../../domain/mock/answer.ts'
import { examplesOf } from '../../domain/mock/examples.ts'
import type { Fits } from '../../domain/mock/fits.ts'
import { isJsonMedia } from '../../domain/mock/message.ts'
import { noExample, noSample, PROBLEM_MEDIA, type Problem, problemText } from '../../domain/mock/problem.ts'
import type { Route, Served } from '../../domain/mock/routes.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { oncePer } from '../../protocol/collections/once-per.ts'
import type { Json } from '../../protocol/json/json.ts'
import type { Sampler } from './sampler.ts'

export interface ReadyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Buffer
}

/** Makes the answers of a mock; one that was made is kept as long as its contract counts. */
export function createReadyAnswers(fits: Fits, sample: Sampler, seed: number) {
  const madeFor = oncePer((_: Operation) => new Map<string, ReadyAnswer | Problem>())

  function make(route: Route, { status, answer, body }: Plan, example?: string): ReadyAnswer | Problem {
    const headers: Record<string, string | number> = { ...contractHeaders(route.served) }
    for (const { name, slot } of answer?.headers ?? []) {
      if (!slot.required || SENT_ANYWAY.has(name)) continue
      const value = valueFor(slot)
      if (value === undefined) return noSample(route, slot.at)
      headers[name] = inHeader(textOf(value))
    }
    if (body === undefined || status === 204 || status === 304)
      return { status, headers: withLength(headers, 0, status), body: Buffer.alloc(0) }
    const fitting = fittingOf(body.slot)
    const value = example === undefined ? valueFor(body.slot) : fitting.find(([own]) => own === example)?.[1]
    if (value === undefined) {
      const names = fitting.flatMap(([name]) => name || [])
      return example === undefined ? noSample(route, body.slot.at) : noExample(route, example, names)
    }
    const text = isJsonMedia(body.media) ? JSON.stringify(value) : textOf(value)
    const bytes = Buffer.from(text)
    return {
      status,
      headers: { ...withLength(headers, bytes.length, status), 'content-type': body.media },
      body: bytes,
    }
  }

  /** The first example that fits, or else a sample that does. */
  function valueFor(slot: Slot): Json | undefined {
    const [first] = fittingOf(slot)
    return first === undefined ? sample(slot, seed) : first[1]
  }

  function fittingOf(slot: Slot) {
    return examplesOf(slot).filter(([, value]) => fits.value(slot, value)?.length === 0)
  }

  return (route: Route, plan: Plan, example?: string): ReadyAnswer | Problem => {
    const { status, body } = plan
    const key = `${status} ${body?.media ?? ''} ${example ?? '\n'}`
    return getOrAdd(madeFor(route.operation), key, () => make(route, plan, example))
  }
}

/** By what the answer of a mock can be told from a real one, and which version it is of. */
const contractHeaders = ({ contractId, name, version }: Served) => ({
  'cacp-contract': encodeURIComponent(name),
  'cacp-contract-id': encodeURIComponent(contractId),
  'cacp-version': version,
})

export function problemAnswer(problem: Problem, served?: Served): ReadyAnswer {
  const body = Buffer.from(problemText(problem))
  const headers = { ...(served === undefined ? {} : contractHeaders(served)), 'content-type': PROBLEM_MEDIA }
  return { status: problem.status, headers: withLength(headers, body.length, problem.status), body }
}

export const isProblem = (answer: ReadyAnswer | Problem): answer is Problem => 'title' in answer

/** Headers that every answer has, or that would contradict how it is sent. */
const SENT_ANYWAY = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'date',
])

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One line of characters that a header can carry. */
const inHeader = (text: string): string => text.replaceAll(/[^\t\x20-\x7e]/g, '?')

const withLength = (headers: Readonly<Record<string, string | number>>, length: number, status: number) =>
  status === 204 || status === 304 ? headers : { ...headers, 'content-length': length }
