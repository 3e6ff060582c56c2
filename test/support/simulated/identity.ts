import type { Signer } from '../../../src/domain/env.ts'
import { signedText } from '../../../src/domain/statements/statement.ts'
import { keyIdOf } from '../../../src/domain/trust/key-id.ts'
import { ROTATION_TYP } from '../../../src/domain/trust/rotation.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import type { RotatingIdentity, VerifySignature, VerifyText } from '../../../src/engine/ports/ports.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'

/** When something is done that takes another thread a while. */
export type ByAndBy = <Value>(make: () => Value) => Promise<Value>

const atOnce: ByAndBy = async (make) => make()

/**
 * The key pairs of a daemon in a simulation. Signatures stand for real ones: they take no real time and are the same in
 * every run, and nobody makes one of a key that is not its own.
 */
export class SimulatedIdentity implements RotatingIdentity {
  readonly rotations: string[] = []
  readonly #name: string
  readonly #byAndBy: ByAndBy
  readonly #keys: PublicKey[]
  #next: PublicKey | undefined

  constructor(name: string, byAndBy: ByAndBy = atOnce) {
    this.#name = name
    this.#byAndBy = byAndBy
    this.#keys = [keyNamed(name)]
  }

  /**
   * What the next process reads, as it is on disk: a process that is gone may still take back a key that it took,
   * and that is no matter of the next one's.
   */
  reopened(): SimulatedIdentity {
    const next = this.#next
    const read = new SimulatedIdentity(this.#name, this.#byAndBy)
    read.rotations.push(...this.rotations)
    read.#keys.splice(0, Infinity, ...this.#keys.filter((key) => key !== next))
    read.#next = next
    return read
  }

  get publicKey(): PublicKey {
    const [present] = this.#keys
    if (present === undefined) throw new TypeError('an identity has a key')
    return present
  }

  get keyId(): string {
    return keyIdOf(this.publicKey)
  }

  publicKeys(): readonly PublicKey[] {
    return this.#keys
  }

  async sign(claims: JsonObject, typ: string): Promise<string> {
    const text = JSON.stringify({ claims, typ })
    return JSON.stringify({ text, signature: signatureOf(this.publicKey, text) })
  }

  async signBytes(bytes: Uint8Array): Promise<string> {
    return signatureOf(this.publicKey, Buffer.from(bytes).toString('base64'))
  }

  signStatement(id: string, keyId: string): Promise<string> {
    return this.signText(signedText(id), keyId)
  }

  signText(text: string, keyId: string): Promise<string> {
    const ours = this.#next === undefined ? this.#keys : [this.#next, ...this.#keys]
    const key = ours.find((one) => keyIdOf(one) === keyId)
    if (key === undefined) throw new TypeError('a statement is signed with the key that it names')
    return this.#byAndBy(() => signatureOf(key, text))
  }

  async verifyOwn(jws: string, typ: string): Promise<JsonObject | undefined> {
    for (const key of this.#keys) {
      const claims = await verifySimulated(jws, key, typ)
      if (claims !== undefined) return claims
    }
    return undefined
  }

  get next(): Signer | undefined {
    return this.#next && { publicKey: this.#next, keyId: keyIdOf(this.#next) }
  }

  async makeNext(): Promise<Signer> {
    this.#next ??= keyNamed(`${this.#name}, ${this.#keys.length} times replaced`)
    return { publicKey: this.#next, keyId: keyIdOf(this.#next) }
  }

  async forgetNext(): Promise<void> {
    this.#next = undefined
  }

  takeNext(): () => void {
    const next = this.#next
    if (next === undefined || this.#keys.includes(next)) return () => {}
    this.#keys.unshift(next)
    return () => void this.#keys.shift()
  }

  async rotate(agentId: string): Promise<void> {
    const { publicKey: next } = await this.makeNext()
    this.takeNext()
    const [, old = next] = this.#keys
    const text = JSON.stringify({
      claims: { iss: agentId, old: { ...old }, new: { ...next } },
      typ: ROTATION_TYP,
    })
    this.rotations.push(JSON.stringify({ text, signature: signatureOf(old, text) }))
    this.#next = undefined
  }
}

export const keyNamed = (name: string): PublicKey => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: `${sha256(`key ${name}`, 'base64url').slice(0, 42)}A`,
})

export const signatureOf = ({ x }: PublicKey, text: string): string =>
  (sha256(`${x} ${text}`, 'base64url') + sha256(`${text} ${x}`, 'base64url')).slice(0, 86)

export const verifySimulated: VerifySignature = async (jws, key, typ) => {
  try {
    const { text, signature } = JSON.parse(jws) as { text: string; signature: string }
    const said = JSON.parse(text) as { claims: JsonObject; typ: string }
    return said.typ === typ && signature === signatureOf(key, text) ? said.claims : undefined
  } catch {
    return undefined
  }
}

/** As another thread does it, whenever it comes to it. */
export const verifyingTexts =
  (byAndBy: ByAndBy = atOnce): VerifyText =>
  (text, key, signature) =>
    byAndBy(() => signature === signatureOf(key, text))
