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

/** An answer as it is sent. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Buffer
}

/** Makes the answers of a mock; one that was made is kept as long as its contract counts. */
export class ReadyAnswers {
  readonly #fits: Fits
  readonly #sample: Sampler
  readonly #seed: number
  readonly #made = oncePer((_: Operation) => new Map<string, ReadyAnswer | Problem>())

  constructor(fits: Fits, sample: Sampler, seed: number) {
    this.#fits = fits
    this.#sample = sample
    this.#seed = seed
  }

  answer(route: Route, plan: Plan, example: string | undefined): ReadyAnswer | Problem {
    const { status, body } = plan
    const key = `${status} ${body?.media ?? ''} ${example ?? '\n'}`
    return getOrAdd(this.#made(route.operation), key, () => this.#make(route, plan, example))
  }

  #make(route: Route, { status, answer, body }: Plan, example: string | undefined): ReadyAnswer | Problem {
    const headers: Record<string, string | number> = { ...contractHeaders(route.served) }
    for (const { name, slot } of answer?.headers ?? []) {
      if (!slot.required || SENT_ANYWAY.has(name)) continue
      const value = this.#valueFor(slot)
      if (value === undefined) return noSample(route, slot.at)
      headers[name] = inHeader(textOf(value))
    }
    if (body === undefined || status === 204 || status === 304)
      return { status, headers: withLength(headers, 0, status), body: Buffer.alloc(0) }
    const value = example === undefined ? this.#valueFor(body.slot) : this.#exampleNamed(body.slot, example)
    if (value === undefined)
      return example === undefined
        ? noSample(route, body.slot.at)
        : noExample(route, example, this.#names(body.slot))
    const text = isJsonMedia(body.media) ? JSON.stringify(value) : textOf(value)
    const bytes = Buffer.from(text)
    return {
      status,
      headers: { ...withLength(headers, bytes.length, status), 'content-type': body.media },
      body: bytes,
    }
  }

  /** The first example that fits, or else a sample that does. */
  #valueFor(slot: Slot): Json | undefined {
    const fitting = examplesOf(slot).find(([, value]) => this.#doesFit(slot, value))
    return fitting === undefined ? this.#sample(slot, this.#seed) : fitting[1]
  }

  #exampleNamed(slot: Slot, name: string): Json | undefined {
    return examplesOf(slot).find(([own, value]) => own === name && this.#doesFit(slot, value))?.[1]
  }

  #names(slot: Slot): readonly string[] {
    return examplesOf(slot).flatMap(([name, value]) =>
      name !== '' && this.#doesFit(slot, value) ? [name] : [],
    )
  }

  #doesFit(slot: Slot, value: Json): boolean {
    return this.#fits.value(slot, value)?.length === 0
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
