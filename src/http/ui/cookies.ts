import { LIMITS } from '../../protocol/limits.ts'
import { sha256 } from '../../protocol/text/sha256.ts'

export type CookieNames = ReturnType<typeof cookieNames>

/**
 * Browsers send the cookies of one port to all ports of a machine, so the name tells port and daemon. With TLS it says
 * that it was set with TLS, which browsers see to.
 */
export function cookieNames({ port, storeId }: { port: number; storeId: string }) {
  const plain = `cacpd_ui_${port}_${sha256(storeId).slice(0, 8)}`
  return { plain, secure: `__Host-${plain}` }
}

/**
 * The values of our cookies, in the order in which they came. Other servers on this machine may have set some of our
 * name, in front of ours: the bound of all headers is that of their number.
 */
export function cookiesIn(header: string | undefined, { plain, secure }: CookieNames): readonly string[] {
  if (header === undefined || !header.includes(plain)) return []
  const values: string[] = []
  for (const pair of header.split(';')) {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    if (name === plain || name === secure) values.push(value)
  }
  return values
}

/** The header that keeps half a session in the browser, or with no time removes it. */
export function cookieText(
  { plain, secure }: CookieNames,
  { value, seconds, isEncrypted }: { value: string; seconds: number; isEncrypted: boolean },
): string {
  const age = Math.max(0, Math.min(seconds, LIMITS.uiSessionIdleSeconds))
  const named = `${isEncrypted ? secure : plain}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict`
  return isEncrypted ? `${named}; Secure` : named
}
