import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Fits } from './fits.ts'
import { type Exchange, type Judged, judgeExchange } from './judge.ts'
import { type Match, nameOf, type RouteTable, type Served } from './routes.ts'
import { placesOf } from './shape.ts'

const MOST_FAILURES = 5
const LONGEST_FAILURE = 500
const LONGEST_PLACE = 300

/** What exchanges showed of one contract. */
export interface Shown {
  readonly served: Served
  readonly count: number
  readonly failed: number
  /** The places that were seen, in the order of the contract. */
  readonly seen: readonly string[]
  /** How many places there are. */
  readonly of: number
  readonly failures: readonly string[]
}

interface Draft extends Pick<Shown, 'served'> {
  count: number
  failed: number
  readonly seen: Set<string>
  readonly failures: string[]
}

/** Counts what exchanges show of the contracts that they are meant for. */
export class Tally {
  /** Exchanges that no contract describes. */
  unknown = 0
  readonly #drafts = new Map<string, Draft>()
  readonly #fits: Fits

  constructor(fits: Fits) {
    this.#fits = fits
  }

  /** What the exchange showed; undefined where no contract describes it. */
  note(table: RouteTable, exchange: Exchange): (Judged & { readonly match: Match }) | undefined {
    const { method, path } = exchange.asked
    const match = table.find(method, path)
    if (match === undefined) {
      this.unknown++
      return undefined
    }
    const judged = judgeExchange(match, exchange, this.#fits)
    const draft = this.#draftOf(match.route.served)
    draft.count++
    for (const at of judged.seen) draft.seen.add(`${match.route.operation.prefix}${at}`)
    if (judged.misfits.length > 0) {
      draft.failed++
      if (draft.failures.length < MOST_FAILURES) draft.failures.push(failureText(match, judged))
    }
    return { ...judged, match }
  }

  /** Of every contract that an exchange was meant for. */
  shown(): readonly Shown[] {
    return Array.from(this.#drafts.values(), (draft) => {
      const places = draft.served.interface.operations.flatMap(placesOf)
      const seen = places
        .filter((place) => draft.seen.has(place))
        .map((place) => place.slice(0, LONGEST_PLACE))
      return { ...draft, seen: seen.slice(0, LIMITS.listItems), of: places.length }
    })
  }

  #draftOf(served: Served): Draft {
    const key = `${served.contractId} ${served.version}`
    const make = () => ({ served, count: 0, failed: 0, seen: new Set<string>(), failures: [] })
    return getOrAdd(this.#drafts, key, make)
  }
}

/** Names the operation as the contract does: what stood in the path is nobody's business. */
export const failureText = ({ route }: Match, { misfits }: Judged): string =>
  `${nameOf(route)}: ${misfits.map(({ at, problem }) => `${at} ${problem}`).join('; ')}`.slice(
    0,
    LONGEST_FAILURE,
  )
