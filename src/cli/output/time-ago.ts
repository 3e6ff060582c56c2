const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago a moment was, or how long it is until then; of what is months away, the day. */
export function timeAgo(stamp: string, now: number): string {
  const millis = now - Date.parse(stamp)
  const span = spanOf(Math.abs(millis))
  if (span === undefined) return stamp.slice(0, 10)
  return millis < 0 ? `in ${span}` : `${span} ago`
}

function spanOf(millis: number): string | undefined {
  if (millis < MINUTE) return `${Math.floor(millis / SECOND)} s`
  if (millis < HOUR) return `${Math.floor(millis / MINUTE)} min`
  if (millis < 2 * DAY) return `${Math.floor(millis / HOUR)} h`
  return millis < 60 * DAY ? `${Math.floor(millis / DAY)} days` : undefined
}

const OF_TIME = /^(?:at|created|since|timestamp|until)$|(?:_at|At|[sS]een|[hH]eartbeat)$/
/** As the daemon writes moments. The key is checked too, because a name could look like a moment. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

export const isMoment = (key: string, value: unknown): value is string =>
  typeof value === 'string' && OF_TIME.test(key) && MOMENT.test(value)
