import { idOpenedBy } from '../../../src/domain/statements/certified-id.ts'
import { rotationProof } from '../../../src/domain/statements/rotation.ts'
import { repoIdOf } from '../../../src/domain/statements/shared-fields.ts'
import { idOf, type Statement, signedText } from '../../../src/domain/statements/statement.ts'
import { keyIdOf } from '../../../src/domain/trust/key-id.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'
import type { ContractType, ResponseAction, VerificationResult } from '../../../src/protocol/words.ts'
import { keyNamed, signatureOf } from '../../support/simulated/identity.ts'

/** What is said, before it has an id and a signature. */
export type Draft = Omit<Statement, 'id' | 'sig' | 'content_hash'>

const SALT = 'AAAAAAAAAAAAAAAAAAAAAA'

/** One who makes statements. The signature stands for a real one: only who knows the name can make it. */
export class Author {
  readonly publicKey: PublicKey
  readonly key: string
  readonly name: string

  constructor(name: string) {
    this.name = name
    this.publicKey = keyNamed(name)
    this.key = keyIdOf(this.publicKey)
  }

  say(said: Omit<Draft, 'key'>): Statement {
    const draft = { ...said, key: this.key }
    const id = idOf(draft)
    return { ...draft, id, sig: signatureOf(this.publicKey, signedText(id)) }
  }

  /** With `of`, a project in somebody else's id, of whom this one reports. */
  found(at: Stamp, given: Founded = {}): Statement {
    const { name = 'Auth', visibility = 'all', nonce = nonceOf('project'), of } = given
    const body = {
      public_key: { ...this.publicKey },
      agent_id: this.name,
      name,
      objective: '',
      visibility,
      nonce,
      ...(of !== undefined && { reported_by: this.name }),
    }
    const project_id = of ?? idOpenedBy({ kind: 'project', at, body, key: this.key })
    return this.say({ project_id, kind: 'project', about: project_id, at, body })
  }

  /** With `of`, for an agent that signs nothing itself. */
  claim(project_id: string, repo_name: string, at: Stamp, of?: string): Statement {
    const who = of === undefined ? { agent_id: this.name } : { agent_id: of, reported_by: this.name }
    const body = { public_key: { ...this.publicKey }, ...who, endpoint: null, repo_name }
    return this.say({ project_id, kind: 'claim', about: repoIdOf(project_id, repo_name), at, body })
  }

  /** Anything under a founding, claim or rotation of the author's. */
  under(
    under: Statement,
    said: Pick<Draft, 'kind' | 'about' | 'at' | 'body'> & { content?: JsonObject },
  ): Statement {
    const { content, ...rest } = said
    const salted = content && { content: { salt: SALT, value: content } }
    return this.say({ project_id: under.project_id, under: under.id, ...rest, ...salted })
  }

  /** Anything that gives an id to what it opens, unless that has one of somebody who signs nothing. */
  open(
    under: Statement,
    {
      about,
      content,
      ...said
    }: Pick<Draft, 'kind' | 'at' | 'body'> & { about?: string | undefined; content: JsonObject },
  ): Statement {
    const opening = {
      ...said,
      project_id: under.project_id,
      under: under.id,
      content: { salt: SALT, value: content },
      key: this.key,
    }
    return this.under(under, { ...said, content, about: about ?? idOpenedBy(opening) })
  }

  nameRepo(under: Statement, name: string, at: Stamp): Statement {
    const about = repoIdOf(under.project_id, name)
    const body = { name, role: 'backend', language: 'go', relevant_paths: [], url: null }
    return this.under(under, { kind: 'repo', about, at, body })
  }

  confirm(under: Statement, claim: Statement, at: Stamp): Statement {
    return this.under(under, { kind: 'confirmation', about: claim.about, at, body: { claim: claim.id } })
  }

  release(under: Statement, at: Stamp): Statement {
    return this.under(under, { kind: 'release', about: under.about, at, body: {} })
  }

  settle(under: Statement, at: Stamp, { repo, holder, ended = [], restored }: Settled): Statement {
    const body = {
      holder: holder?.id ?? null,
      ended: ended.map(([claim, until]) => ({ claim: claim.id, until })),
      ...(restored && { restored: restored.map(({ id }) => id) }),
    }
    return this.under(under, { kind: 'settlement', about: repo, at, body })
  }

  rotate(under: Statement, to: Author, { at, count = 1 }: { at: Stamp; count?: number }): Statement {
    const { project_id, id } = under
    const proof = signatureOf(to.publicKey, rotationProof({ project_id, under: id, key: this.key }))
    const body = { public_key: { ...to.publicKey }, count, proof }
    return this.under(under, { kind: 'rotation', about: under.about, at, body })
  }

  propose(
    under: Statement,
    at: Stamp,
    { parties, nonce = nonceOf('contract'), ...given }: Proposed,
  ): Statement {
    const { type = 'api_endpoint', name = 'Me', content = { path: '/me' } } = given
    const body = { version: 1, parent: null, parties, type, name, nonce }
    return this.open(under, {
      kind: 'revision',
      about: given.of,
      at,
      body,
      content: { value: content, note: '' },
    })
  }

  revise(under: Statement, parent: Statement, { at, ...given }: Revised): Statement {
    const {
      parties = parent.body['parties'] as readonly string[],
      resolves,
      retire,
      content = { path: '/v2' },
    } = given
    const versions = [parent, ...(resolves ?? [])].map((one) => Number(one.body['version']))
    const body = {
      version: given.version ?? 1 + Math.max(...versions),
      parent: parent.id,
      parties,
      ...(resolves && { resolves: resolves.map(({ id }) => id) }),
      ...(retire && { retire: true }),
    }
    return this.under(under, {
      kind: 'revision',
      about: parent.about,
      at,
      body,
      content: { value: content, note: '' },
    })
  }

  answer(
    under: Statement,
    revision: Statement,
    { at, action }: { at: Stamp; action: ResponseAction },
  ): Statement {
    const body = { revision: revision.id, action }
    const content = { comment: `I ${action}`, suggested_change: null }
    return this.under(under, { kind: 'answer', about: revision.about, at, body, content })
  }

  work(
    under: Statement,
    revision: Statement,
    { at, status }: { at: Stamp; status: 'in_progress' | 'complete' },
  ): Statement {
    const body = { revision: revision.id, status, started_at: at, files: [], estimated_files: [] }
    const content = { plan: '', notes: '', test_endpoint: null }
    return this.under(under, { kind: 'work', about: revision.about, at, body, content })
  }

  expect(under: Statement, revision: Statement, { at, ...given }: Expected): Statement {
    const body = {
      register: '',
      revision: revision.id,
      side: null,
      uses: null,
      tolerates: [],
      sites: {},
      ...given,
    }
    return this.under(under, { kind: 'expectation', about: revision.about, at, body })
  }

  /** What the files are like that a repo implements it with. */
  stateTree(
    under: Statement,
    revision: Statement,
    { at, content }: { at: Stamp; content: string },
  ): Statement {
    const body = { register: '', revision: revision.id, digest: sha256(content), hashes: [], moved: [] }
    return this.under(under, { kind: 'tree', about: revision.about, at, body })
  }

  merge(under: Statement, revision: Statement, { at, commit }: { at: Stamp; commit: string }): Statement {
    const body = { register: '', revision: revision.id, commit }
    return this.under(under, { kind: 'merged', about: revision.about, at, body })
  }

  verify(under: Statement, revision: Statement, { at, result, judged, blames = [] }: Verified): Statement {
    const body = { revision: revision.id, result, judged, blames }
    const content = { notes: '', failure_details: null }
    return this.under(under, { kind: 'verification', about: revision.about, at, body, content })
  }

  share(
    under: Statement,
    at: Stamp,
    { nonce = nonceOf('packet'), text = 'we use JWT', of }: Shared = {},
  ): Statement {
    const body = { type: 'decision', related_contracts: [], reply_to: null, nonce }
    return this.open(under, { kind: 'packet', about: of, at, body, content: { text } })
  }

  see(
    under: Statement,
    about: string,
    { at, of, parts }: { at: Stamp; of: Stamp; parts: number },
  ): Statement {
    return this.under(under, { kind: 'sighting', about, at, body: { of, parts } })
  }

  describe(under: Statement, at: Stamp, role: string): Statement {
    const body = { role, language: 'go', relevant_paths: [], url: null, endpoint: null }
    return this.under(under, { kind: 'description', about: under.about, at, body })
  }

  redact(under: Statement, of: Statement, at: Stamp): Statement {
    return this.under(under, {
      kind: 'redaction',
      about: of.about,
      at,
      body: { of: of.id, reason: 'a secret' },
    })
  }
}

interface Founded {
  name?: string
  visibility?: string
  nonce?: string
  of?: string
}

interface Shared {
  nonce?: string
  text?: string
  /** An id that somebody else gave. */
  of?: string | undefined
}

interface Settled {
  repo: string
  holder?: Statement
  ended?: readonly (readonly [Statement, Stamp | null])[]
  restored?: readonly Statement[]
}

interface Proposed {
  parties: readonly string[]
  nonce?: string
  type?: ContractType
  name?: string
  content?: JsonObject
  /** An id that somebody else gave. */
  of?: string | undefined
}

interface Revised {
  at: Stamp
  parties?: readonly string[]
  resolves?: readonly Statement[]
  retire?: boolean
  content?: JsonObject
  version?: number
}

interface Expected {
  at: Stamp
  register?: string
  side?: string | null
  uses?: readonly string[] | null
  tolerates?: readonly string[]
  sites?: Readonly<Record<string, string>>
}

interface Verified {
  at: Stamp
  result: VerificationResult
  judged: readonly { repo_id: string; work: string }[]
  blames?: readonly string[]
}

/** 22 characters of base64url. */
export const nonceOf = (word: string): string => sha256(word, 'base64url').slice(0, 22)
