const SIZES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `12.3 MiB` */
export function bytes(count: number): string {
  let [size, unit] = [count, 0]
  while (size >= 1024 && unit < SIZES.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${SIZES[unit]}`
}

/** `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`: the two largest units. */
export function lasting(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return `${whole} s`
  const [minutes, hours, days] = [
    Math.floor(whole / 60),
    Math.floor(whole / 3600),
    Math.floor(whole / 86_400),
  ]
  if (days > 0) return two(`${days} d`, hours % 24, 'h')
  return hours > 0 ? two(`${hours} h`, minutes % 60, 'min') : `${minutes} min`
}

const two = (large: string, small: number, unit: string): string =>
  small === 0 ? large : `${large} ${small} ${unit}`

/** `12,345` */
export const figure = (count: number): string => count.toLocaleString('en')
