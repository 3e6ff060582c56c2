/**
 * Patterns of others are never run: one of them can take for ever. They are compared as text, after the spellings that
 * always mean the same have been made one.
 */
const SHORTHANDS: Record<string, string> = { d: '0-9', w: 'A-Za-z0-9_' }
const COUNTS: readonly (readonly [string, string])[] = [
  ['{0,1}', '?'],
  ['{1,}', '+'],
  ['{0,}', '*'],
  ['{1}', ''],
]

/** Undefined of a pattern that everything fits. */
export function normalPattern(pattern: string): string | undefined {
  const text = /[\\{]/.test(pattern) ? spelledOut(pattern) : pattern
  return EVERYTHING.has(text) ? undefined : text
}

const EVERYTHING = new Set(['', '^', '$', '.*', '^.*', '.*$', '(?:)', '()'])

function spelledOut(pattern: string): string {
  let text = ''
  let isClass = false
  for (let index = 0; index < pattern.length; index++) {
    const sign = pattern[index] ?? ''
    const next = pattern[index + 1] ?? ''
    const mayCount = sign === '{' && !isClass
    const count = mayCount ? COUNTS.find(([long]) => pattern.startsWith(long, index)) : undefined
    if (sign === '\\') {
      const set = SHORTHANDS[next]
      text += set === undefined ? sign + next : isClass ? set : `[${set}]`
      index++
    } else if (count !== undefined) {
      text += count[1]
      index += count[0].length - 1
    } else {
      if (sign === '[') isClass = true
      if (sign === ']') isClass = false
      text += sign
    }
  }
  return text
}
