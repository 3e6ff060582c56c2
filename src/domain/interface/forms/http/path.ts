/** Names of parameters in all the ways that frameworks write them: `{id}`, `:id`, `<int:id>`, `[id]`, `$id`. */
const PARAMETER = /\{([^{}/]+)\}|:([A-Za-z_]\w*)|<(?:\w+:)?(\w+)>|\[([^[\]/]+)\]|\$([A-Za-z_]\w*)/g
const LONGEST = 2000

export interface Path {
  /** The path with its parameters without their names: what they are called is nobody's contract. */
  readonly shape: string
  readonly parameters: readonly string[]
}

export function readPath(text: string): Path {
  const path = withoutQuery(text.slice(0, LONGEST).trim())
  const parameters: string[] = []
  const shape = path.replaceAll(PARAMETER, (...found: (string | undefined)[]) => {
    parameters.push(found.slice(1, 6).find((name) => name !== undefined) ?? '')
    return '{}'
  })
  return { shape: shape.length > 1 ? shape.replace(/\/$/, '') : shape, parameters }
}

function withoutQuery(path: string): string {
  const end = path.search(/[?#]/)
  return end === -1 ? path : path.slice(0, end)
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])

export const isMethod = (word: unknown): word is string =>
  typeof word === 'string' && METHODS.has(word.toUpperCase())

/** `GET /users/me` in one text. */
export function readCall(text: unknown): { method: string; path: string } | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  const [method, path, more] = text.trim().split(/\s+/, 3)
  return isMethod(method) && path?.startsWith('/') === true && more === undefined
    ? { method: method.toUpperCase(), path }
    : undefined
}
