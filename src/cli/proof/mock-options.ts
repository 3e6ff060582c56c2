import { UsageError } from '../program/report.ts'

const LONGEST_DELAY = 60_000

/** `200ms` or `2s`. */
export function millisIn(text: string | undefined): number {
  if (text === undefined) return 0
  const [, number = '', unit] = /^(\d{1,5})(ms|s)$/.exec(text) ?? []
  const millis = Number(number) * (unit === 's' ? 1000 : 1)
  if (number !== '' && millis <= LONGEST_DELAY) return millis
  throw new UsageError('--delay: must be a time such as 200ms or 2s, and at most 60s')
}

/** `5%`, as a share from 0 to 1. */
export function shareIn(text: string | undefined): number {
  if (text === undefined) return 0
  const [, number = ''] = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text) ?? []
  if (number !== '' && Number(number) <= 100) return Number(number) / 100
  throw new UsageError('--fail: must be a share such as 5%, and at most 100%')
}

export function urlIn(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(`${option}: must be a URL such as http://127.0.0.1:3000`)
}
