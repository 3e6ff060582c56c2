/** Names of parameters in all the ways that frameworks write them: `{id}`, `:id`, `<int:id>`, `[id]`, `$id`. */
const PARAMETER = /\{([^{}/]+)\}|:([A-Za-z_]\w*)|<(?:\w+:)?(\w+)>|\[([^[\]/]+)\]|\$([A-Za-z_]\w*)/g
const LONGEST = 2000

/** The path with its parameters without their names, which are told apart: what they are called is nobody's contract. */
export function readPath(text: string): { shape: string; parameters: readonly string[] } {
  const end = text.search(/[?#]/)
  const path = text.slice(0, Math.min(end === -1 ? LONGEST : end, LONGEST)).trim()
  const parameters: string[] = []
  let shape = ''
  let from = 0
  PARAMETER.lastIndex = 0
  for (let found = PARAMETER.exec(path); found !== null; found = PARAMETER.exec(path)) {
    parameters.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? found[5] ?? '')
    shape += `${path.slice(from, found.index)}{}`
    from = PARAMETER.lastIndex
  }
  shape += path.slice(from)
  return { shape: shape.length > 1 && shape.endsWith('/') ? shape.slice(0, -1) : shape, parameters }
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
