import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { closestOnes } from '../../protocol/text/closest.ts'
import type { Interface, Operation } from '../interface/model.ts'

/** The version of a contract that counts here. */
export interface Served {
  readonly contractId: string
  readonly name: string
  readonly version: number
  readonly interface: Interface
}

/** An operation of a contract that can be called over HTTP. */
export interface Route {
  readonly served: Served
  readonly operation: Operation
  readonly method: string
  /** `/users/{}`, with the path at which the server begins. */
  readonly path: string
}

export interface Match {
  readonly route: Route
  /** What stands in the path in place of its parameters. */
  readonly values: readonly string[]
}

const SPLIT = '{}'
const MOST_NEAR = 3

/** Finds the operation that a request is meant for. */
export class RouteTable {
  readonly routes: readonly Route[]
  readonly #plain = new Map<string, Route>()
  /** Those with parameters, by method and number of pieces; the more is said of a path, the earlier. */
  readonly #open = new Map<string, Route[]>()

  constructor(contracts: readonly Served[]) {
    this.routes = contracts.flatMap(routesOf)
    for (const route of this.routes) {
      const { method, path } = route
      if (path.includes(SPLIT))
        getOrAdd(this.#open, `${method} ${piecesOf(path).length}`, () => []).push(route)
      else getOrAdd(this.#plain, nameOf(route), () => route)
    }
    for (const routes of this.#open.values()) routes.sort((a, b) => rankOf(a) - rankOf(b))
  }

  find(method: string, path: string): Match | undefined {
    const asked = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    const plain = this.#plain.get(`${method} ${asked}`) ?? this.#plain.get(`${method} ${decoded(asked)}`)
    if (plain !== undefined) return { route: plain, values: [] }
    const pieces = piecesOf(asked)
    for (const route of this.#open.get(`${method} ${pieces.length}`) ?? []) {
      const values = valuesIn(piecesOf(route.path), pieces)
      if (values !== undefined) return { route, values }
    }
    return undefined
  }

  /** The operations that are called nearly so. */
  nearest(method: string, path: string): readonly string[] {
    return closestOnes(`${method} ${path}`, [...new Set(this.routes.map(nameOf))], MOST_NEAR)
  }
}

export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

function routesOf(served: Served): readonly Route[] {
  const { form, operations } = served.interface
  if (form !== 'http') return []
  const around = basesIn(operations.find(({ key }) => key === '(document)')) ?? ['']
  return operations.flatMap((operation) => {
    const { key, sender } = operation
    const [method = '', path = ''] = key.split(' ', 2)
    // Of a webhook the provider is the one who calls.
    if (sender !== 'consumer' || !path.startsWith('/')) return []
    return (basesIn(operation) ?? around).map((base) => ({ served, operation, method, path: base + path }))
  })
}

/** Where the paths of a document begin. */
function basesIn(operation: Operation | undefined): readonly string[] | undefined {
  const value = operation?.opaque.find(({ at }) => at === 'servers')?.value
  return Array.isArray(value) && value.length > 0 ? value.map(String) : undefined
}

const piecesOf = (path: string): readonly string[] => path.split('/').slice(1)

/** Literal pieces count before parameters, and those in front the most. */
const rankOf = ({ path }: Route): number =>
  piecesOf(path).reduce((rank, piece, index) => rank + (piece.includes(SPLIT) ? 2 ** -index : 0), 0)

function valuesIn(route: readonly string[], asked: readonly string[]): readonly string[] | undefined {
  const values: string[] = []
  for (const [index, piece] of route.entries()) {
    const text = decoded(asked[index] ?? '')
    const found = pieceValues(piece.split(SPLIT), text)
    if (found === undefined) return undefined
    values.push(...found)
  }
  return values
}

/** `{}.json` in `7.json`: what is between the literal parts. */
function pieceValues(literals: readonly string[], text: string): readonly string[] | undefined {
  const [first = '', ...rest] = literals
  if (rest.length === 0) return text === first ? [] : undefined
  if (!text.startsWith(first)) return undefined
  const values: string[] = []
  let from = first.length
  for (const [index, literal] of rest.entries()) {
    const isLast = index === rest.length - 1
    const end = isLast ? text.length - literal.length : text.indexOf(literal, from + 1)
    if (end <= from || !text.startsWith(literal, end)) return undefined
    values.push(text.slice(from, end))
    from = end + literal.length
  }
  return values
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
