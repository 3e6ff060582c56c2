/** Times as people read them. All in the time zone of who reads. */

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

const WHOLE_DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

type Moment = number | string

/** `Monday, 16 November 2026` */
export const dayName = (moment: Moment): string => WHOLE_DAY.format(new Date(moment))

/** `15:02:11` */
export const clockTime = (moment: Moment): string => CLOCK.format(new Date(moment))

/** `16 Nov 2026, 15:02:11` */
export const fullTime = (moment: Moment): string => `${DAY.format(new Date(moment))}, ${clockTime(moment)}`

const UNITS = [
  { seconds: 86_400, word: 'd' },
  { seconds: 3600, word: 'h' },
  { seconds: 60, word: 'min' },
] as const

/** How long something lasts or is ago: `3 min`, `2 h`, `5 d`; `now` below a minute. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const unit = UNITS.find((one) => seconds >= one.seconds)
  return unit === undefined ? 'now' : `${Math.floor(seconds / unit.seconds)} ${unit.word}`
}

/** `3 min ago`, or `just now`. */
export function ago(moment: Moment, now: number): string {
  const text = span(now - new Date(moment).getTime())
  return text === 'now' ? 'just now' : `${text} ago`
}
