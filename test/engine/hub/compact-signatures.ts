import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import type { VerifySignature } from '../../../src/engine/ports/ports.ts'
import { signatureOf } from '../../support/simulated/identity.ts'

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())

/** Signatures in the form of real ones, which nobody makes of a key that is not its own. */
export const signer = (key: PublicKey) => ({
  sign: async (claims: object, typ: string): Promise<string> => {
    const text = `${encoded({ typ })}.${encoded(claims)}`
    return `${text}.${signatureOf(key, text)}`
  },
})

export const verify: VerifySignature = async (jws, key, typ) => {
  const [head = '', claims = '', signature] = jws.split('.')
  if (signature !== signatureOf(key, `${head}.${claims}`)) return undefined
  return decoded(head).typ === typ ? decoded(claims) : undefined
}
