import { createPrivateKey } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { signedText } from '../../domain/statements/statement.ts'
import { keyIdOf } from '../../domain/trust/key-id.ts'
import { MOST_ROTATIONS, ROTATION_TYP } from '../../domain/trust/rotation.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import { createInTurn } from '../../engine/ports/in-turn.ts'
import type { Clock, RotatingIdentity } from '../../engine/ports/ports.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { addMicros, epochSeconds } from '../../protocol/stamp.ts'
import {
  createIdentityFile,
  type IdentityFile,
  type PrivateKey,
  readIdentityFile,
  replaceIdentityFile,
} from './file.ts'
import { ALGORITHM, verifySignature } from './signature.ts'
import { createSigning } from './signing.ts'

/** How long a replaced key still verifies. At least as long as a project token is valid, which is up to a day. */
const OVERLAP_HOURS = 24

type Signer = Awaited<ReturnType<typeof signerOf>>

/** The Ed25519 identity in the data directory; made at the first start. */
export async function openIdentity(directory: string, clock: Clock): Promise<RotatingIdentity> {
  const signOnThreads = createSigning()
  let file = (await readIdentityFile(directory)) ?? (await createdIn(directory, clock))
  let signer = await signerOf(file.key)
  let next = file.next && (await signerOf(file.next))
  /** The key before the current one: statements that name it may still be waiting for their signature. */
  let before: Signer | undefined
  /** Changes the file one at a time. */
  const inTurn = createInTurn()

  const publicKeys = (): readonly PublicKey[] => {
    const now = clock.now()
    const onDisk = file.key.x === signer.publicKey.x ? [] : [publicHalf(file.key)]
    const replaced = file.replaced.filter((one) => one.retires_at > now).map(({ key }) => key)
    return [signer.publicKey, ...onDisk, ...replaced]
  }

  async function makeNextNow(): Promise<Signer> {
    if (next !== undefined) return next
    const key = await newPrivateKey()
    const made = await signerOf(key)
    const noted: IdentityFile = { ...file, next: key }
    await replaceIdentityFile(directory, noted)
    file = noted
    next = made
    return made
  }

  async function forgetNextNow(): Promise<void> {
    const { next: _forgotten, ...present } = file
    await replaceIdentityFile(directory, present)
    file = present
    next = undefined
  }

  async function rotateNow(agentId: string): Promise<void> {
    const { publicKey } = await makeNextNow()
    const { next: key = file.key, ...old } = file
    const now = clock.now()
    const retires_at = addMicros(now, OVERLAP_HOURS * 3600 * 1_000_000)
    const replaced = old.replaced.filter((one) => one.retires_at > now)
    const oldKey = publicHalf(old.key)
    const claims = { iss: agentId, iat: epochSeconds(now), old: { ...oldKey }, new: { ...publicKey } }
    const statement = await signBy(await signerOf(old.key), claims, ROTATION_TYP)
    const rotated: IdentityFile = {
      key,
      created_at: now,
      replaced: [{ key: oldKey, retires_at }, ...replaced].slice(0, MOST_ROTATIONS),
      rotations: [...old.rotations, statement].slice(-MOST_ROTATIONS),
    }
    await replaceIdentityFile(directory, rotated)
    file = rotated
    takeNext()
    next = undefined
  }

  function takeNext(): () => void {
    const present = signer
    if (next === undefined || next === present) return () => {}
    before = present
    signer = next
    return () => {
      signer = present
    }
  }

  async function signText(text: string, keyId: string): Promise<string> {
    const ours = [signer, before, next].find((one) => one?.keyId === keyId)
    if (ours === undefined) throw new TypeError('a statement is signed with the key that it names')
    return signOnThreads(text, ours.forThreads)
  }

  return {
    get publicKey() {
      return signer.publicKey
    },
    get keyId() {
      return signer.keyId
    },
    get rotations() {
      return file.rotations
    },
    get next() {
      return next
    },
    makeNext: () => inTurn(makeNextNow),
    forgetNext: () => inTurn(forgetNextNow),
    takeNext,
    publicKeys,
    sign: (claims, typ) => signBy(signer, claims, typ),
    async signBytes(bytes) {
      const signature = await crypto.subtle.sign('Ed25519', signer.privateKey, bytes)
      return Buffer.from(signature).toString('base64')
    },
    signText,
    signStatement: (id, keyId) => signText(signedText(id), keyId),
    async verifyOwn(jws, typ) {
      for (const key of publicKeys()) {
        const claims = await verifySignature(jws, key, typ)
        if (claims !== undefined) return claims
      }
      return undefined
    },
    rotate: (agentId) => inTurn(() => rotateNow(agentId)),
  }
}

const signBy = (signer: Signer, claims: JsonObject, typ: string): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ, kid: signer.keyId })
    .sign(signer.privateKey)

const publicHalf = ({ kty, crv, x }: PrivateKey): PublicKey => ({ kty, crv, x })

async function createdIn(directory: string, clock: Clock): Promise<IdentityFile> {
  const made: IdentityFile = {
    key: await newPrivateKey(),
    created_at: clock.now(),
    replaced: [],
    rotations: [],
  }
  await createIdentityFile(directory, made)
  return (await readIdentityFile(directory)) ?? made
}

async function newPrivateKey(): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  const { x = '', d = '' } = await exportJWK(privateKey)
  return { kty: 'OKP', crv: 'Ed25519', x, d }
}

/** The private key is imported so that it cannot be exported from the process. */
async function signerOf(key: PrivateKey) {
  const publicKey = publicHalf(key)
  const privateKey = await importJWK(key, ALGORITHM, { extractable: false })
  return {
    publicKey,
    keyId: keyIdOf(publicKey),
    privateKey: privateKey as CryptoKey,
    /** The same key, for signatures that another thread makes. */
    forThreads: createPrivateKey({ key, format: 'jwk' }),
  }
}
