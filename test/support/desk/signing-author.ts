import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { SignJWT } from 'jose'
import { idOf, type Statement, signedText } from '../../../src/domain/statements/statement.ts'
import { keyIdOf } from '../../../src/domain/trust/key-id.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import { ALGORITHM } from '../../../src/io/identity/signature.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { Author, type Draft } from '../../domain/statements/author.ts'

/** One who makes statements that real daemons believe: with a key of its own. */
export class SigningAuthor extends Author {
  readonly #privateKey: KeyObject

  constructor(name: string) {
    super(name)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const { x = '' } = publicKey.export({ format: 'jwk' })
    const key: PublicKey = { kty: 'OKP', crv: 'Ed25519', x }
    Object.assign(this, { publicKey: key, key: keyIdOf(key) })
    this.#privateKey = privateKey
  }

  override say(said: Omit<Draft, 'key'>): Statement {
    return this.signed({ ...said, key: this.key })
  }

  /** Signs also what names another key, as a liar does. */
  signed(draft: Draft): Statement {
    const id = idOf(draft)
    const sig = sign(null, Buffer.from(signedText(id)), this.#privateKey).toString('base64url')
    return { ...draft, id, sig }
  }

  /** Proves who it is, as a daemon does. */
  jws(claims: JsonObject, typ: string): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ, kid: this.key })
      .sign(this.#privateKey)
  }
}
