import { UsageError } from '../program/report.ts'

/** `--param key=value`, as often as there are parameters. A value that is JSON is meant as that. */
export function parametersOf(words: readonly string[]): Record<string, unknown> {
  const entries = words.map((word): [string, unknown] => {
    const [, key, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(word) ?? []
    if (key === undefined) throw new UsageError(`--param: must be key=value, not ${word}`)
    return [key, valueIn(value)]
  })
  return Object.fromEntries(entries)
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
