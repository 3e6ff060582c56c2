/** The formatting of the document around an entry. */
export interface JsonStyle {
  readonly eol: string
  /** One level of indentation. */
  readonly unit: string
  readonly isOneLine: boolean
}

/** A value as people write it: lists of simple values on one line, objects with a line for each key. */
export function jsonText(value: unknown, style: JsonStyle, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = indent + style.unit
  const parts = Array.isArray(value)
    ? value.map((item) => jsonText(item, style, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item, style, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  if (style.isOneLine || (Array.isArray(value) && value.every((item) => typeof item !== 'object')))
    return Array.isArray(value)
      ? `${open}${parts.join(', ')}${close}`
      : `${open} ${parts.join(', ')} ${close}`
  const lines = parts.map((part) => style.eol + inner + part)
  return `${open}${lines.join(',')}${style.eol}${indent}${close}`
}
