import type { Fits, Misfit } from './fits.ts'
import { type Answered, type Asked, type Content, type Headers, headerOf, isJsonMedia } from './message.ts'
import type { Match } from './routes.ts'
import { answerFor, type Body, type Parameter, shapeOf, tellsErrors } from './shape.ts'

/** What a message showed of a contract. */
export interface Judged {
  readonly misfits: readonly Misfit[]
  /** The places that were there and were looked at. */
  readonly seen: readonly string[]
}

/** An exchange: what was asked, and what came back unless nothing did. */
export interface Exchange {
  readonly asked: Asked
  readonly answered: Answered | undefined
}

/**
 * Both sides of an exchange. What the other side refused was perhaps meant to be wrong, so that such a request is not
 * judged.
 */
export function judgeExchange(match: Match, { asked, answered }: Exchange, fits: Fits): Judged {
  if (answered === undefined) return { misfits: [{ at: 'response', problem: 'never came' }], seen: [] }
  const answer = judgeAnswer(match, answered, fits)
  if (answered.status >= 400 && answered.status < 500) return answer
  const request = judgeRequest(match, asked, fits)
  return { misfits: [...request.misfits, ...answer.misfits], seen: [...request.seen, ...answer.seen] }
}

export function judgeRequest({ route, values }: Match, asked: Asked, fits: Fits): Judged {
  const { path, query, headers, cookies, bodies } = shapeOf(route.operation)
  const judge = new Judge(fits)
  for (const [index, { slot }] of path.entries()) judge.texts({ name: '', slot }, [values[index] ?? ''])
  for (const parameter of query) judge.texts(parameter, asked.query.getAll(parameter.name))
  for (const parameter of headers) judge.texts(parameter, valuesOf(asked.headers, parameter.name))
  if (cookies.length > 0) {
    const sent = cookiesIn(headerOf(asked.headers, 'cookie') ?? '')
    for (const parameter of cookies) judge.texts(parameter, sent.get(parameter.name) ?? [])
  }
  judge.body(bodies, asked.body)
  return judge
}

function judgeAnswer({ route }: Match, { status, headers, body }: Answered, fits: Fits): Judged {
  const shape = shapeOf(route.operation)
  const answer = answerFor(shape, status)
  const judge = new Judge(fits)
  if (answer === undefined) {
    // A contract that describes no errors at all says nothing of requests that are refused.
    const isUnsaid = shape.answers.length === 0 || (status >= 400 && status < 500 && !tellsErrors(shape))
    if (!isUnsaid) judge.misfits.push({ at: `response.${status}`, problem: 'is not described' })
    return judge
  }
  judge.seen.push(`response.${answer.status}`)
  for (const parameter of answer.headers) judge.texts(parameter, valuesOf(headers, parameter.name))
  if (route.method !== 'HEAD' && status !== 304) judge.body(answer.bodies, body)
  return judge
}

class Judge implements Judged {
  readonly misfits: Misfit[] = []
  readonly seen: string[] = []
  readonly #fits: Fits

  constructor(fits: Fits) {
    this.#fits = fits
  }

  texts({ slot }: Parameter, texts: readonly string[]): void {
    if (texts.length > 0) this.#take(slot.at, this.#fits.texts(slot, texts))
    else if (slot.required) this.misfits.push({ at: slot.at, problem: 'is missing' })
  }

  body(bodies: readonly Body[], content: Content): void {
    const [first] = bodies
    if (first === undefined) return
    const { at } = first.slot
    if (content.kind === 'none') {
      if (bodies.every(({ slot }) => slot.required)) this.misfits.push({ at, problem: 'is missing' })
      return
    }
    const meant = bodyFor(bodies, content.media)
    if (meant === undefined) {
      const described = bodies.map(({ media }) => media).join(', ')
      this.misfits.push({
        at,
        problem: `is ${content.media || 'of no media type'}; described is ${described}`,
      })
    } else if (content.kind !== 'unread') {
      this.#take(
        meant.slot.at,
        this.#fits.value(meant.slot, content.kind === 'json' ? content.value : content.text),
      )
    } else if (!content.isLeftOut) this.misfits.push({ at: meant.slot.at, problem: content.why })
  }

  #take(at: string, misfits: readonly Misfit[] | undefined): void {
    if (misfits === undefined) return
    this.seen.push(at)
    for (const one of misfits) this.misfits.push(one)
  }
}

/** Of all kinds of JSON the plain one is meant, where the contract does not say more. */
export function bodyFor(bodies: readonly Body[], media: string): Body | undefined {
  const named = bodies.find((body) => body.media === media)
  if (named !== undefined) return named
  const range = bodies.find((body) => body.media === `${media.split('/', 1)[0] ?? ''}/*`)
  return range ?? (isJsonMedia(media) ? bodies.find((body) => isJsonMedia(body.media)) : undefined)
}

function valuesOf(headers: Headers, name: string): readonly string[] {
  const found = headers[name]
  return found === undefined ? [] : typeof found === 'string' ? [found] : found
}

function cookiesIn(header: string): ReadonlyMap<string, readonly string[]> {
  const pairs = header.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=')
    return [name, [value.join('=')]] as const
  })
  return new Map(pairs)
}
