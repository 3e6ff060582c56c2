import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { SignJWT } from 'jose'
import { rotationProof } from '../../../src/domain/statements/rotation.ts'
import { idOf, type Statement, signedText } from '../../../src/domain/statements/statement.ts'
import { keyIdOf } from '../../../src/domain/trust/key-id.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import { ALGORITHM } from '../../../src/io/identity/signature.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
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
    return { ...draft, id, sig: this.#sign(signedText(id)) }
  }

  override rotate(under: Statement, to: SigningAuthor, { at, count = 1 }: { at: Stamp; count?: number }) {
    const { project_id, id } = under
    const proof = to.#sign(rotationProof({ project_id, under: id, key: this.key }))
    const body = { public_key: { ...to.publicKey }, count, proof }
    return this.under(under, { kind: 'rotation', about: under.about, at, body })
  }

  #sign(text: string): string {
    return sign(null, Buffer.from(text), this.#privateKey).toString('base64url')
  }

  /** Proves who it is, as a daemon does. */
  jws(claims: JsonObject, typ: string): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ, kid: this.key })
      .sign(this.#privateKey)
  }
}
