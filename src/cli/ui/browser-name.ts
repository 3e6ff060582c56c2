/** The more special name first: most browsers also name those that they want to be taken for. */
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdgi?A?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome without a window'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bLinux\b/, 'Linux'],
]

/** What a browser calls itself, in two or three words. Anything can call itself anything: it only helps to remember. */
export function browserName(userAgent: string): string {
  const named = (signs: typeof BROWSERS) => signs.find(([sign]) => sign.test(userAgent))?.[1]
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)]
  if (browser === undefined) return userAgent.slice(0, 40) || 'a program that does not say its name'
  return system === undefined ? browser : `${browser} on ${system}`
}
