import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { Signer } from '../../../src/domain/env.ts'
import { signedText } from '../../../src/domain/statements/statement.ts'
import { keyIdOf } from '../../../src/domain/trust/key-id.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import type { Sign } from '../../../src/io/store/journal/entry.ts'
import { getOrAdd } from '../../../src/protocol/collections/get-or-add.ts'

/** What stands before the 32 bytes of an Ed25519 key in its PKCS #8 form. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface TestSigner extends Signer {
  readonly sign: Sign
}

/** A real key pair, the same one for the same name in every run. */
export function signerOf(name: string): TestSigner {
  const seed = createHash('sha256').update(`key of ${name}`).digest()
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const publicKey: PublicKey = { kty: 'OKP', crv: 'Ed25519', x }
  const keyId = keyIdOf(publicKey)
  // Many stories begin alike, and the signature of the same text is always the same.
  const signatures = new Map<string, string>()
  const signatureOf = (id: string): string =>
    sign(null, Buffer.from(signedText(id)), privateKey).toString('base64url')
  return {
    publicKey,
    keyId,
    sign: async (id, key) => {
      if (key !== keyId) throw new Error(`${name} has no key ${key}`)
      return getOrAdd(signatures, id, () => signatureOf(id))
    },
  }
}
