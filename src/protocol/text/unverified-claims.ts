import { jsonIn } from '../json/in.ts'

/** More than the claims of any token have. */
const MOST_CHARACTERS = 16 * 1024

/** What a compact JWS claims before anybody has looked at its signature: good only to find the key to check it with. */
export function unverifiedClaims(jws: string): unknown {
  const payload = jws.length > MOST_CHARACTERS ? undefined : jws.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    return jsonIn(new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0))))
  } catch {
    return undefined
  }
}
