import { jsonIn } from '../../protocol/json/in.ts'
import { paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'

const LEVELS: ReadonlyMap<unknown, readonly [word: string, colour: 'dim' | 'green' | 'yellow' | 'red']> =
  new Map([
    [10, ['trace', 'dim']],
    [20, ['debug', 'dim']],
    [30, ['info', 'green']],
    [40, ['warn', 'yellow']],
    [50, ['error', 'red']],
    [60, ['fatal', 'red']],
  ])

/** A line of the log for people: when, how bad, what, and what it is about. What is no JSON is shown as it is. */
export function readableLine(line: string, look: { colour: boolean }): string {
  const entry = jsonIn(line)
  if (typeof entry !== 'object' || entry === null) return printable(line)
  const { level, time, msg, ...about } = entry as Record<string, unknown>
  const [word, colour] = LEVELS.get(level) ?? [String(level), 'dim']
  const facts = Object.entries(about).map(([name, value]) => `${name}=${shown(value)}`)
  const said = printable([msg, ...facts].filter((part) => part !== undefined).join('  '))
  return `${paint('dim', printable(String(time)), look)} ${paint(colour, word.padEnd(5), look)} ${said}`
}

function shown(value: unknown): string {
  // Of an error that was logged, people want its stack as lines.
  const { stack } = Object(value) as { stack?: unknown }
  if (typeof stack === 'string') return `\n  ${stack.replaceAll('\n', '\n  ')}`
  return typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value)
}
