import { isIP } from 'node:net'

/** Listening there means listening at every address. */
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** How a host stands in a URL and in the Host header. */
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Where callers on this machine reach a daemon that listens at `host`. */
export const localUrl = (host: string, port: number, isEncrypted: boolean): string =>
  `${isEncrypted ? 'https' : 'http'}://${inUrl(EVERYWHERE.get(host) ?? host)}:${port}`

/** Every name that the daemon goes by. */
export function namesOf({ host, publicUrl }: { host: string; publicUrl: string | null }): string[] {
  const names = ['localhost', '127.0.0.1', '::1', EVERYWHERE.get(host) ?? host]
  if (publicUrl !== null) names.push(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''))
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

/** The same as they stand in the Host header. */
export function hostHeadersOf(daemon: { host: string; publicUrl: string | null }): Set<string> {
  return new Set(
    namesOf(daemon).map((name) => (isIP(name) === 6 ? new URL(`http://[${name}]`).hostname : name)),
  )
}
