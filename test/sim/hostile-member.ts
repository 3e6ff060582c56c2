import { idOpenedBy } from '../../src/domain/statements/certified-id.ts'
import { repoIdOf } from '../../src/domain/statements/shared-fields.ts'
import {
  idOf,
  type Statement,
  signedText,
  textOf,
  withoutContent,
} from '../../src/domain/statements/statement.ts'
import { PROOF_PATH, PROOF_TYP, proofClaims } from '../../src/domain/trust/proof.ts'
import type { ProjectView } from '../../src/domain/view.ts'
import { SYNC_FORMAT } from '../../src/methods/peers/replication.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import { addMicros, type Stamp, stampOfMillis } from '../../src/protocol/stamp.ts'
import { sha256 } from '../../src/protocol/text/sha256.ts'
import type { Door, VirtualNetwork } from '../support/network/virtual-network.ts'
import { SimulatedIdentity, signatureOf } from '../support/simulated/identity.ts'
import type { Dice } from './dice.ts'
import { agentOf, HOSTILE, originOf, repoOf } from './names.ts'
import type { Acquaintance, SimDaemon } from './sim-daemon.ts'
import { placeOf } from './state.ts'

/** Stands in everything that it says. */
export const LIE = 'LIE-OF-A-MEMBER'

const SECOND = 1_000_000

const TREE = { register: '', digest: '0'.repeat(64), hashes: [], moved: [] }
const EXPECTED = { register: '', side: null, uses: null, tolerates: [], sites: {} }

type Said = Pick<Statement, 'kind' | 'about' | 'at' | 'body'> & Partial<Pick<Statement, 'under' | 'content'>>

export interface HostileMemberDeps {
  readonly network: VirtualNetwork
  readonly dice: Dice
  /** Milliseconds since 1970, as the others see them. */
  readonly now: () => number
}

/**
 * A member that was invited, with a key of its own that signs well. It claims what is not its own, speaks in the place
 * of others, dates back and ahead, floods, gives several texts one id, and hands nothing on.
 */
export class HostileMember {
  readonly #deps: HostileMemberDeps
  readonly #identity = new SimulatedIdentity(HOSTILE)
  readonly #own: Statement[] = []
  readonly keys = new Set([this.#identity.keyId])
  /** How often it says very much at once. */
  floods = 0.1
  #count = 0

  constructor(deps: HostileMemberDeps) {
    this.#deps = deps
  }

  get acquaintance(): Acquaintance {
    const { publicKey: identity } = this.#identity
    return { agentId: agentOf(HOSTILE), endpoint: originOf(HOSTILE), repoName: repoOf(HOSTILE), identity }
  }

  listen(): void {
    this.#deps.network.listen(originOf(HOSTILE), this.#door)
  }

  /** Tells one daemon lies about what another one holds. */
  attack(victim: SimDaemon, source: SimDaemon): void {
    this.#tell(victim, this.liesAbout(source))
  }

  liesAbout(source: SimDaemon): readonly Statement[] {
    const { dice } = this.#deps
    const found = this.#openProjectOf(source)
    if (found === undefined) return []
    const lies = Array.from({ length: dice.between(1, 8) }, () => this.#lie(found)).flat()
    if (dice.chance(this.floods)) lies.push(...this.#flood(found))
    return lies
  }

  /**
   * Tells all of them in the same moment so much that nobody takes more of it, and each one something else at first:
   * that they refuse for ever when they hand it to each other.
   */
  floodEach(victims: readonly SimDaemon[], source: SimDaemon): void {
    const found = this.#openProjectOf(source)
    if (found === undefined) return
    const claim = this.#claim(found, repoOf(HOSTILE), stampOfMillis(this.#deps.now()))
    const packets = (count: number) =>
      Array.from({ length: count }, () => this.#packet(found, claim.at, claim.id))
    const forAll = packets(150)
    for (const victim of victims) this.#tell(victim, [claim, ...packets(15), ...forAll])
  }

  /** What is not on a disk yet was told to nobody, so a project that holds such a thing is left alone. */
  #openProjectOf({ life, durable }: SimDaemon): ProjectView | undefined {
    const isDurable = (one: Statement) => durable.get(placeOf(one))?.id === one.id
    const open = [...life.store.view.projects.oldestFirst()].filter(
      ({ project, said }) => project.visibility === 'all' && [...said].every(isDurable),
    )
    return open.length === 0 ? undefined : this.#deps.dice.pick(open)
  }

  #tell(victim: SimDaemon, lies: readonly Statement[]): void {
    if (lies.length === 0) return
    const statements = lies.map((one) => textOf(one))
    const params = { bootId: 'a-hostile-boot', statements: statements.slice(0, 400) }
    const body = JSON.stringify([{ jsonrpc: '2.0', id: 0, method: 'cacp/sync/statements', params }])
    this.#deps.network
      .clientOf(originOf(HOSTILE), () => true)
      .post(`${originOf(victim.name)}/`, body, 10_000)
      .catch(() => {})
  }

  #lie(found: ProjectView): Statement[] {
    const { dice } = this.#deps
    const all = [...found.said]
    const of = (...kinds: string[]) => all.filter(({ kind }) => kinds.includes(kind))
    const under = this.#introduction(found)
    const at = this.#moment(all)
    const lie = { note: LIE }
    const target = dice.pick(all)
    const revisions = of('revision')
    const said = (one: Said) => this.#say(found, { under, ...one })
    const name = dice.pick([...found.repos.oldestFirst()].map((repo) => repo.name).concat(repoOf(HOSTILE)))
    const about = repoIdOf(found.project.project_id, name)
    const lies: (() => Statement | undefined)[] = [
      () => this.#claim(found, name, at),
      () => this.#claim(found, repoOf(HOSTILE), at),
      () => this.#packet(found, at, under),
      // In the place of somebody else, or of itself: admission tells them apart.
      () => said({ kind: target.kind, about: target.about, at, body: { ...target.body, ...lie } }),
      () => this.#say(found, { ...target, at, body: { ...target.body, ...lie } }),
      () => said({ kind: 'redaction', about: target.about, at, body: { of: target.id, reason: LIE } }),
      () => said({ kind: 'release', about, at, body: lie }),
      () => said({ kind: 'confirmation', about, at, body: { claim: this.#own.at(-1)?.id ?? '', ...lie } }),
      () => said({ kind: 'settlement', about, at, body: { holder: null, ended: [], ...lie } }),
      () => withoutContent(target),
      () =>
        ({
          ...target,
          sig: signatureOf(this.#identity.publicKey, signedText(target.id)),
          extra: LIE,
        }) as Statement,
    ]
    if (revisions.length > 0) {
      const { id, body, about: contract } = dice.pick(revisions)
      const parties = [...(body['parties'] as string[]), about]
      const version = 1 + Number(body['version'])
      const value = { value: { tag: LIE }, note: LIE }
      lies.push(
        () => said({ kind: 'answer', about: contract, at, body: { revision: id, action: 'agree', ...lie } }),
        () => said({ kind: 'answer', about: contract, at, body: { revision: id, action: 'reject', ...lie } }),
        () =>
          said({
            kind: 'revision',
            about: contract,
            at,
            body: { version, parent: id, parties, ...lie },
            content: { salt: 'AAAAAAAAAAAAAAAAAAAAAA', value },
          }),
        () => said({ kind: 'withdrawal', about: contract, at, body: { revision: id, ...lie } }),
        () => said({ kind: 'sighting', about: contract, at, body: { of: at, parts: 1, ...lie } }),
        () => said({ kind: 'expectation', about: contract, at, body: { ...EXPECTED, revision: id, ...lie } }),
        () => said({ kind: 'tree', about: contract, at, body: { ...TREE, revision: id, ...lie } }),
        () =>
          said({
            kind: 'merged',
            about: contract,
            at,
            body: { register: '', commit: LIE, revision: id, ...lie },
          }),
        // Of a kind that nobody knows, in one register and in another.
        () =>
          said({ kind: 'weather', about: contract, at, body: { register: dice.pick(['', LIE]), ...lie } }),
      )
    }
    const made = dice.pick(lies)()
    return made === undefined ? [] : [made]
  }

  /** Under its own claim, or under somebody else's. */
  #introduction(found: ProjectView): string {
    const { dice } = this.#deps
    const own = this.#own.filter(({ project_id }) => project_id === found.project.project_id)
    const all = [...found.said].filter(({ kind }) => kind === 'claim' || kind === 'project')
    const from = own.length > 0 && dice.chance(0.7) ? own : all
    return dice.pick(from).id
  }

  /** Long ago, just before another one, now, and 5 minutes and 6 hours ahead. */
  #moment(all: readonly Statement[]): Stamp {
    const { dice, now } = this.#deps
    const present = stampOfMillis(now())
    return dice.pick([
      '2020-01-01T00:00:00.000000Z' as Stamp,
      addMicros(dice.pick(all).at, -1),
      present,
      present,
      addMicros(present, 200 * SECOND),
      addMicros(present, 6 * 3600 * SECOND),
    ])
  }

  #claim(found: ProjectView, repo_name: string, at: Stamp): Statement {
    const claim = this.#say(found, {
      kind: 'claim',
      about: repoIdOf(found.project.project_id, repo_name),
      at,
      body: {
        public_key: { ...this.#identity.publicKey },
        agent_id: agentOf(HOSTILE),
        endpoint: null,
        repo_name,
        note: LIE,
      },
    })
    this.#own.push(claim)
    return claim
  }

  #packet(found: ProjectView, at: Stamp, under: string): Statement {
    const nonce = sha256(`${this.#count++}`, 'base64url').slice(0, 22)
    const body: JsonObject = { type: 'decision', related_contracts: [], reply_to: null, nonce, note: LIE }
    const said = { kind: 'packet', at, body, under }
    const { project_id } = found.project
    const about = idOpenedBy({ ...said, project_id, key: this.#identity.keyId })
    return this.#say(found, { ...said, about })
  }

  /** Packets under a claim that it may keep to itself: then all of them wait. */
  #flood(found: ProjectView): Statement[] {
    const claim = this.#claim(found, repoOf(HOSTILE), stampOfMillis(this.#deps.now()))
    const isWithheld = this.#deps.dice.chance(0.3)
    const packets = Array.from({ length: 150 }, () =>
      this.#packet(found, claim.at, isWithheld ? claim.id : this.#introduction(found)),
    )
    if (!isWithheld) return [claim, ...packets]
    this.#own.pop()
    return packets
  }

  #say({ project }: ProjectView, { kind, about, at, body, under, content }: Said): Statement {
    const said = {
      project_id: project.project_id,
      kind,
      about,
      at,
      body,
      key: this.#identity.keyId,
      ...(under === undefined ? {} : { under }),
      ...(content === undefined ? {} : { content }),
    }
    const id = idOf(said)
    return { ...said, id, sig: signatureOf(this.#identity.publicKey, signedText(id)) }
  }

  /** Listens and learns, agrees to everything, and hands nothing on. */
  readonly #door: Door = async ({ path, body }) => {
    const tell = (value: unknown) => ({ status: 200, text: JSON.stringify(value) })
    if (path === '/.well-known/agent.json') {
      const { publicKey, rotations } = this.#identity
      return tell({
        protocols: { cacp: '2.0' },
        extensions: {
          cacp: { agentId: agentOf(HOSTILE), repo: repoOf(HOSTILE) },
          cacpd: { syncFormat: SYNC_FORMAT, identity: { key: publicKey, rotations } },
        },
      })
    }
    if (path.startsWith(PROOF_PATH)) {
      const challenge = path.slice(PROOF_PATH.length + 1)
      const about = { agentId: agentOf(HOSTILE), endpoint: originOf(HOSTILE), address: '', iat: 0 }
      return tell({ proof: await this.#identity.sign(proofClaims({ ...about, challenge }), PROOF_TYP) })
    }
    const calls: unknown = body === '' ? [] : JSON.parse(body)
    if (!Array.isArray(calls)) return tell({})
    return tell(calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, ...answerTo(method, params) })))
  }
}

function answerTo(method: string, params: { statements?: unknown[] }): object {
  switch (method) {
    case 'cacp/sync/hello':
      return { result: { storeId: 'hostile', format: SYNC_FORMAT, now: new Date(0).toISOString() } }
    case 'cacp/sync/statements':
      return { result: { outcomes: (params.statements ?? []).map(() => ({ status: 'taken' })) } }
    case 'cacp/sync/digest':
      // Else it would be handed everything again at every comparison.
      return { error: { code: -32000, message: 'compares with nobody' } }
    default:
      return { result: {} }
  }
}
