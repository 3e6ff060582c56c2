/** What a caller would like to be answered: `Prefer: code=404, example=empty`. */
export interface Preference {
  readonly code?: number
  readonly example?: string
}

const PART = /(?:^|[,;])\s*(code|example)\s*=\s*(?:"([^"]{0,200})"|([^\s,;]{1,200}))/gi

export function readPrefer(header: string | undefined): Preference {
  let wish: Preference = {}
  for (const [, name = '', quoted, plain] of (header ?? '').matchAll(PART)) {
    const value = quoted ?? plain ?? ''
    if (name.toLowerCase() === 'example') wish = { ...wish, example: value }
    else if (/^[1-5]\d\d$/.test(value)) wish = { ...wish, code: Number(value) }
  }
  return wish
}
