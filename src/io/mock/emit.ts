import { request } from 'undici'
import type { Emitted } from '../../domain/mock/events.ts'
import { examplesOf } from '../../domain/mock/examples.ts'
import { createFits } from './fit-check.ts'
import { createSampler } from './sampler.ts'

interface EmitRules {
  readonly to: URL
  readonly count: number
  readonly seed: number
  /** Told the status of every answer as it comes. */
  readonly tell: (status: number) => void
}

const TIMEOUT_MILLIS = 10_000

/** Something of an event could not be made, or did not arrive. */
class EmitError extends Error {
  override readonly name = 'EmitError'
  readonly next: string

  constructor(message: string, next: string) {
    super(message)
    this.next = next
  }
}

/** Posts values that fit an event: first the examples of the contract that do, then samples. */
export async function emit({ payload, operation, served }: Emitted, { to, count, seed, tell }: EmitRules) {
  const fits = createFits()
  const sample = await createSampler(fits)
  const examples = examplesOf(payload).filter(([, value]) => fits.value(payload, value)?.length === 0)
  for (let index = 0; index < count; index++) {
    const value = examples[index]?.[1] ?? sample(payload, seed + index)
    if (value === undefined)
      throw new EmitError(
        `No value was found that fits «${payload.at}» of ${operation.key}`,
        `Give «${served.name}» an example that does`,
      )
    const { statusCode, body } = await post(to, value)
    await body.dump()
    tell(statusCode)
    if (statusCode >= 400)
      throw new EmitError(
        `${to.origin} answered ${statusCode} to event ${index + 1} of ${count}`,
        'See there why it was refused: what was sent fits the contract',
      )
  }
}

async function post(to: URL, value: unknown) {
  try {
    return await request(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
      headersTimeout: TIMEOUT_MILLIS,
      bodyTimeout: TIMEOUT_MILLIS,
    })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new EmitError(`${to.origin} gave no answer (${code})`, 'See whether something listens there')
  }
}
