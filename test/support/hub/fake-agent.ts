import { createHash, randomUUID } from 'node:crypto'
import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import { ANSWER_TYP, CALL_TYP, type CallClaims } from '../../../src/domain/hub/call.ts'
import { HUB_CARD_TYP } from '../../../src/domain/hub/card.ts'
import { callSubject } from '../../../src/domain/hub/subject.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import type { HeardMessage, WireMessage } from '../../../src/engine/ports/hub-rooms.ts'
import { createNatsHub } from '../../../src/io/hub/nats-hub.ts'
import { verifySignature } from '../../../src/io/identity/signature.ts'
import { FOREVER, hubAt, ORG } from './prepared-hub.ts'

export interface Called {
  readonly status: number | undefined
  readonly text: string
  /** The parts of the answer, as they were called. */
  readonly parts: readonly string[]
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** An agent on a hub that is no daemon: it signs whatever a test wants. */
export class FakeAgent implements AsyncDisposable {
  readonly agentId: string
  readonly #keys: Awaited<ReturnType<typeof generateKeyPair>>
  readonly publicKey: PublicKey
  readonly #connection: Awaited<ReturnType<ReturnType<typeof createNatsHub>['open']>>
  #boot = ''

  private constructor(
    agentId: string,
    keys: Awaited<ReturnType<typeof generateKeyPair>>,
    more: {
      publicKey: PublicKey
      connection: Awaited<ReturnType<ReturnType<typeof createNatsHub>['open']>>
    },
  ) {
    this.agentId = agentId
    this.#keys = keys
    this.publicKey = more.publicKey
    this.#connection = more.connection
  }

  static async on(url: string, agentId = 'aid://example.com/fake@1.0.0'): Promise<FakeAgent> {
    const keys = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const { kty, crv, x } = await exportJWK(keys.publicKey)
    const connection = await createNatsHub({ ...hubAt(url), name: 'fake' }).open(FOREVER)
    return new FakeAgent(agentId, keys, { publicKey: { kty, crv, x } as PublicKey, connection })
  }

  get rooms() {
    const { rooms } = this.#connection
    if (rooms === undefined) throw new Error('a hub on NATS has rooms')
    return rooms
  }

  sign(claims: object, typ: string): Promise<string> {
    const text = new TextEncoder().encode(JSON.stringify(claims))
    return new CompactSign(text).setProtectedHeader({ alg: 'EdDSA', typ }).sign(this.#keys.privateKey)
  }

  async putCard(more: object = {}, place = this.agentId): Promise<void> {
    const { agentId, publicKey } = this
    const said = { org: ORG, repo: 'fake-app', role: 'test', capabilities: [], bootId: 'b' }
    const card = { ...said, agentId, publicKey, rotations: [] }
    const at = '2026-01-01T00:00:00.000000Z'
    await this.rooms.cards.put(place, await this.sign({ ...card, at, ...more }, HUB_CARD_TYP))
  }

  /** A call as it would be right, with what a test changes about it. */
  claims(to: string, more: Partial<CallClaims> = {}, body = ''): CallClaims {
    const iat = Math.floor(Date.now() / 1000)
    return {
      iss: this.agentId,
      aud: to,
      boot: this.#boot,
      iat,
      exp: iat + 60,
      jti: randomUUID(),
      verb: body === '' ? 'GET' : 'POST',
      path: '/health',
      headers: body === '' ? {} : { 'content-type': 'application/json' },
      sha256: hashOf(body),
      ...more,
    }
  }

  /** Makes the call, for the start of the daemon that is called. */
  async call(to: string, more: Partial<CallClaims> = {}, body = ''): Promise<Called> {
    const first = await this.send(to, await this.sign(this.claims(to, more, body), CALL_TYP), body)
    if (first.parts.at(-1) !== 'boot') return first
    return this.send(to, await this.sign(this.claims(to, more, body), CALL_TYP), body)
  }

  /** Sends exactly this, and gathers the answer up to its last part. */
  async send(to: string, proof: string, body = ''): Promise<Called> {
    const { wire } = this.rooms
    const inbox = wire.newInbox()
    const parts: string[] = []
    let text = ''
    let status: number | undefined
    return await new Promise<Called>((resolve) => {
      const unlisten = wire.listen(inbox, (message) => void heed(message))
      const heed = (message: HeardMessage): void => {
        const { part, boot, status: told } = claimsIn(message)
        parts.push(part ?? 'unheard')
        if (boot !== undefined) this.#boot = boot
        status ??= told
        text += new TextDecoder().decode(message.body)
        if (part === 'here' || part === 'head' || part === 'data') return
        unlisten()
        resolve({ status, text, parts })
      }
      const message: WireMessage = { proof, body: new TextEncoder().encode(body), reply: inbox }
      wire.publish(callSubject(ORG, to), message)
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]() as Promise<void>
  }
}

const claimsIn = ({ proof }: HeardMessage): { part?: string; boot?: string; status?: number } =>
  proof === '' ? {} : JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString())

/** What an answer says, if this key signed it. */
export const verifiedAnswer = (proof: string, key: PublicKey) => verifySignature(proof, key, ANSWER_TYP)
