import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { oncePer } from '../../protocol/collections/once-per.ts'
import type { Operation, Slot } from '../interface/model.ts'

/** The places of an HTTP operation, by the part of a message that they stand in. */
export interface Shape {
  /** In the order in which they stand in the path. */
  readonly path: readonly Parameter[]
  readonly query: readonly Parameter[]
  readonly headers: readonly Parameter[]
  readonly cookies: readonly Parameter[]
  readonly bodies: readonly Body[]
  readonly answers: readonly Answer[]
  /** The status of the good answer was not said, so that any good one is meant. */
  readonly assumesStatus: boolean
}

export interface Parameter {
  readonly name: string
  readonly slot: Slot
}

export interface Body {
  /** `application/json` where the contract does not say. */
  readonly media: string
  readonly slot: Slot
}

export interface Answer {
  /** `200`, `4xx` or `default`. */
  readonly status: string
  /** That there is such an answer. */
  readonly slot: Slot
  readonly bodies: readonly Body[]
  readonly headers: readonly Parameter[]
}

export const JSON_MEDIA = 'application/json'

const PLACE =
  /^(?:(?<place>path|query|header|cookie)\.(?<name>.+)|request\.body(?:\((?<media>[^)]+)\))?|response\.(?<status>[^.]+)(?:\.body(?:\((?<answerMedia>[^)]+)\))?|\.header\.(?<header>.+))?)$/s

interface Drafts extends Record<'path' | 'query' | 'header' | 'cookie', Parameter[]> {
  readonly bodies: Body[]
  readonly answers: Map<string, { slot: Slot; bodies: Body[]; headers: Parameter[] }>
}

export const shapeOf = oncePer((operation: Operation): Shape => {
  const drafts: Drafts = { path: [], query: [], header: [], cookie: [], bodies: [], answers: new Map() }
  for (const slot of operation.slots) sortIn(slot, drafts)
  const byPosition = (one: Parameter, other: Parameter) => Number(one.name) - Number(other.name)
  return {
    path: drafts.path.sort(byPosition),
    query: drafts.query,
    headers: drafts.header,
    cookies: drafts.cookie,
    bodies: drafts.bodies,
    answers: Array.from(drafts.answers, ([status, draft]) => ({ status, ...draft })),
    assumesStatus: operation.assumesStatus === true,
  }
})

function sortIn(slot: Slot, drafts: Drafts): void {
  const found = PLACE.exec(slot.at)?.groups
  if (found === undefined) return
  const { place, name = '', media, status, answerMedia, header } = found
  if (place !== undefined) drafts[place as 'path' | 'query' | 'header' | 'cookie'].push({ name, slot })
  else if (status === undefined) drafts.bodies.push({ media: media ?? JSON_MEDIA, slot })
  else {
    const draft = getOrAdd(drafts.answers, status, () => ({ slot, bodies: [], headers: [] }))
    if (header !== undefined) draft.headers.push({ name: header, slot })
    else if (slot.at.startsWith('.body', `response.${status}`.length))
      draft.bodies.push({ media: answerMedia ?? JSON_MEDIA, slot })
  }
}

/** What the contract says of answers with a status: the status itself, its class, or whatever else there is. */
export function answerFor({ answers, assumesStatus }: Shape, status: number): Answer | undefined {
  const word = String(status)
  const named = (name: string) => answers.find((answer) => answer.status === name)
  return (
    named(word) ??
    named(`${word[0] ?? ''}xx`) ??
    (assumesStatus && word.startsWith('2') ? named('200') : undefined) ??
    named('default')
  )
}

/** Whether anything is said of answers that tell of an error. */
export const tellsErrors = ({ answers }: Shape): boolean =>
  answers.some(({ status }) => /^(?:[45]|default)/.test(status))

/** Ways to sign in are no values that could be looked at, and a position says again what a name says. */
const NOT_SEEN = /^(?:security|position\.)/

/** The places that an exchange can show. */
export const placesOf = ({ prefix, slots }: Operation): readonly string[] =>
  slots.filter(({ at }) => !NOT_SEEN.test(at)).map(({ at }) => `${prefix}${at}`)
