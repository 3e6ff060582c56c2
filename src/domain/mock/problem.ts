import type { JsonObject } from '../../protocol/json/json.ts'
import type { Misfit } from './fits.ts'
import { nameOf, type Route } from './routes.ts'

/** What a mock answers in place of the answer of a contract, as problem+json. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly more?: JsonObject
}

export const PROBLEM_MEDIA = 'application/problem+json'

export const problemText = ({ status, title, detail, more = {} }: Problem): string =>
  JSON.stringify({ type: 'about:blank', title, status, detail, ...more })

export const notAgreed = (
  asked: { readonly method: string; readonly path: string },
  nearest: readonly string[],
  proposed: Route | undefined,
): Problem => ({
  status: 404,
  title: 'Not agreed',
  detail:
    proposed === undefined
      ? `No contract in force describes ${asked.method} ${asked.path.slice(0, 200)}`
      : `${nameOf(proposed)} of «${proposed.served.name}» is proposed, and not in force yet; cacpd mock --proposed serves it`,
  more: { nearest },
})

export const doesNotFit = (route: Route, misfits: readonly Misfit[]): Problem => ({
  status: 422,
  title: 'The request does not fit the contract',
  detail: misfits.map(({ at, problem }) => `${at} ${problem}`).join('; '),
  more: {
    contract: route.served.name,
    version: route.served.version,
    fields: misfits.map(({ at, problem }) => ({ at, problem })),
  },
})

export const notDescribed = (route: Route, code: number, described: readonly string[]): Problem => ({
  status: 404,
  title: 'No such answer',
  detail: `Prefer: code=${code} is no answer of ${nameOf(route)}; it has ${described.join(', ') || 'none'}`,
  more: { described },
})

export const noExample = (route: Route, name: string, known: readonly string[]): Problem => ({
  status: 404,
  title: 'No such example',
  detail: `Prefer: example=${name} is no example that fits ${nameOf(route)}; there are ${known.join(', ') || 'none'}`,
  more: { examples: known },
})

/** Nothing is served that the contract would not allow. */
export const noSample = (route: Route, at: string): Problem => ({
  status: 501,
  title: 'No sample',
  detail: `No value was found that fits «${at}» of ${nameOf(route)}; give the contract an example that does`,
  more: { contract: route.served.name, version: route.served.version, at },
})

export const tooLarge = (most: number): Problem => ({
  status: 413,
  title: 'Too large',
  detail: `A mock takes bodies of at most ${most} bytes`,
})

export const FAILED_ON_PURPOSE: Problem = {
  status: 503,
  title: 'Failed on purpose',
  detail: 'cacpd mock --fail lets some requests fail',
}

export const NOT_LOOPBACK: Problem = {
  status: 403,
  title: 'Not this machine',
  detail: 'A mock answers to localhost and 127.0.0.1 only: use one of them in the address',
}
