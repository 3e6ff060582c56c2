import { createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto'
import type { Answer, Peer } from '../../../src/domain/model.ts'
import { answer as answerKind } from '../../../src/domain/statements/answer.ts'
import { idOpenedBy } from '../../../src/domain/statements/certified-id.ts'
import { claim as claimKind } from '../../../src/domain/statements/claim.ts'
import { description } from '../../../src/domain/statements/description.ts'
import type { Kind } from '../../../src/domain/statements/kind.ts'
import { packet as packetKind } from '../../../src/domain/statements/packet.ts'
import { project as projectKind } from '../../../src/domain/statements/project.ts'
import { redaction } from '../../../src/domain/statements/redaction.ts'
import { repo as repoKind } from '../../../src/domain/statements/repo.ts'
import { revision } from '../../../src/domain/statements/revision.ts'
import { type Saying, say, sayFirst, type Unsigned } from '../../../src/domain/statements/say.ts'
import { repoIdOf } from '../../../src/domain/statements/shared-fields.ts'
import { type Statement, signedText } from '../../../src/domain/statements/statement.ts'
import { keyIdOf } from '../../../src/domain/trust/key-id.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import type { Clock } from '../../../src/engine/ports/ports.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { type Stamp, stampOfMillis } from '../../../src/protocol/stamp.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'
import type { ContextType, ResponseAction } from '../../../src/protocol/words.ts'

/** Small statements to put into a store, with real signatures; the same names give the same statements. */

const BEGIN = Date.UTC(2026, 0, 1)

export const stampAt = (second: number): Stamp => stampOfMillis(BEGIN + second * 1000)

/** A clock that stands still until a test moves it. */
export function stoppedClock(): Clock & { second: number } {
  return {
    second: 0,
    now() {
      return stampAt(this.second)
    },
    newId: () => randomUUID(),
    newNonce: () => nonceOf(randomUUID()),
  }
}

/** 22 characters of base64url. */
const nonceOf = (word: string): string => sha256(word, 'base64url').slice(0, 22)

/** What stands before the 32 bytes of an Ed25519 key in its PKCS #8 form. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** One who signs. */
export class Author {
  readonly name: string
  readonly publicKey: PublicKey
  readonly keyId: string
  readonly #privateKey: KeyObject

  constructor(name: string) {
    this.name = name
    const seed = Buffer.from(sha256(name), 'hex')
    this.#privateKey = createPrivateKey({
      key: Buffer.concat([PKCS8, seed]),
      format: 'der',
      type: 'pkcs8',
    })
    const { x = '' } = createPublicKey(this.#privateKey).export({ format: 'jwk' })
    this.publicKey = { kty: 'OKP', crv: 'Ed25519', x }
    this.keyId = keyIdOf(this.publicKey)
  }

  signature(id: string): string {
    return sign(null, Buffer.from(signedText(id)), this.#privateKey).toString('base64url')
  }

  signed(unsigned: Unsigned): Statement {
    return { ...unsigned, sig: this.signature(unsigned.id) }
  }
}

export const AUTHOR = new Author('backend')

interface Given {
  readonly second?: number
  readonly content?: JsonObject
}

/** A project that its founder has named a repo `backend` in and claimed it; everything else is said under that claim. */
export class TestProject {
  readonly id: string
  readonly name: string
  readonly founding: Statement
  readonly claim: Statement
  /** All that has to be there before anything else can be. */
  readonly opening: readonly Statement[]
  readonly #author: Author

  constructor(name: string, { second = 0, author = AUTHOR } = {}) {
    this.name = name
    this.#author = author
    const [at, nonce] = [stampAt(second), nonceOf(name)]
    const body = {
      public_key: { ...author.publicKey },
      agent_id: author.name,
      name,
      objective: 'to be kept',
      visibility: 'all',
      nonce,
    }
    this.id = idOpenedBy({ kind: 'project', at, body, key: author.keyId })
    this.founding = this.#first(projectKind, this.id, at, body)
    this.claim = this.claimOf('backend', second)
    this.opening = [this.founding, this.claim]
  }

  /** Names another repo. */
  nameRepo(name: string, second = 1): Statement {
    const body = { name, role: 'web', language: 'js', relevant_paths: [], url: null }
    return this.say(repoKind, '', { about: repoIdOf(this.id, name), at: stampAt(second), body })
  }

  /** The same author claims another repo. */
  claimOf(repo_name: string, second = 1): Statement {
    const body = {
      public_key: this.#author.publicKey,
      agent_id: this.#author.name,
      endpoint: null,
      repo_name,
    }
    return this.#first(claimKind, repoIdOf(this.id, repo_name), stampAt(second), body)
  }

  /** Opens a contract. */
  contract(name: string, given: Given = {}): Statement {
    return this.#author.signed(this.unsignedContract(name, given))
  }

  unsignedContract(name: string, { second = 0, content = {} }: Given = {}): Unsigned {
    const [at, nonce] = [stampAt(second), nonceOf(`contract ${name}`)]
    return this.unsigned(revision, name, {
      at,
      body: { version: 1, parent: null, parties: [this.claim.about], type: 'custom', name, nonce },
      content: { value: content, note: '' },
    })
  }

  revise(parent: Statement, { second = 1, content = {} }: Given = {}): Statement {
    const version = Number(parent.body['version']) + 1
    return this.say(revision, `revision ${version}`, {
      about: parent.about,
      at: stampAt(second),
      body: { version, parent: parent.id, parties: [this.claim.about] },
      content: { value: content, note: '' },
    })
  }

  answer(to: Statement, action: ResponseAction, second = 2): Statement {
    return this.say(answerKind, action, {
      about: to.about,
      at: stampAt(second),
      body: { revision: to.id, action },
      content: { comment: '', suggested_change: null },
    })
  }

  packet(name: string, given: Given & { replyTo?: Statement; type?: ContextType } = {}): Statement {
    const { second = 0, content = {}, replyTo, type = 'decision' } = given
    const [at, nonce] = [stampAt(second), nonceOf(`packet ${name}`)]
    return this.say(packetKind, name, {
      at,
      body: { type, related_contracts: [], reply_to: replyTo?.about ?? null, nonce },
      content: { name, ...content },
    })
  }

  /** What the repo says of itself, of which only the newest word is kept. */
  describe(role: string, second = 1): Statement {
    const body = { role, language: 'go', relevant_paths: [], url: null, endpoint: null }
    return this.say(description, role, { about: this.claim.about, at: stampAt(second), body })
  }

  redact(of: Statement, second = 3): Statement {
    const body = { of: of.id, reason: 'a secret' }
    return this.say(redaction, '', { about: of.about, at: stampAt(second), body })
  }

  say<Body, Content>(kind: Kind<Body, Content>, salt: string, saying: Saying<Body, Content>): Statement {
    return this.#author.signed(this.unsigned(kind, salt, saying))
  }

  unsigned<Body, Content>(kind: Kind<Body, Content>, salt: string, saying: Saying<Body, Content>): Unsigned {
    const by = { project_id: this.id, introduction: this.claim.id, key: this.#author.keyId }
    return say(kind, by, saying, { newNonce: () => nonceOf(salt) })
  }

  #first<Body>(kind: Kind<Body>, about: string, at: Stamp, body: Body): Statement {
    const self = { signer: { keyId: this.#author.keyId } } as Parameters<typeof sayFirst>[2]['self']
    return this.#author.signed(sayFirst(kind, { project_id: this.id, about, at, body }, { self }))
  }
}

export const peer = (id: string, second = 0): Peer => ({
  agent_id: id,
  endpoint: 'http://127.0.0.1:1',
  repo_name: id,
  trust: 'approved',
  registered_at: stampAt(second),
  last_seen: stampAt(second),
})

export const answer = (key: string, second = 0): Answer => ({
  key,
  params_hash: 'hash',
  result: { done: key },
  at: stampAt(second),
})
