import { UsageError } from '../program/report.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** The seconds that a word such as `90s`, `30m`, `24h` or `7d` of an option means. */
export function secondsIn(text: string, most: { seconds: number; said: string }, option = '--expires') {
  const [, number = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  const seconds = Number(number) * (UNITS[unit] ?? 0)
  if (seconds >= 1 && seconds <= most.seconds) return seconds
  throw new UsageError(`${option}: must be a time such as 90s, 30m or 24h, and at most ${most.said}`)
}
