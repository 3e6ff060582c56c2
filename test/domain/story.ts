import { type Admitted, admit } from '../../src/domain/statements/admit.ts'
import type { Statement } from '../../src/domain/statements/statement.ts'
import type { ProjectView, View } from '../../src/domain/view.ts'
import type { ContractEntity, PacketEntity } from '../../src/domain/views/entities.ts'
import { Tables } from '../../src/io/store/tables/tables.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import type { Stamp } from '../../src/protocol/stamp.ts'
import type {
  ContextType,
  ContractType,
  ResponseAction,
  VerificationResult,
  Visibility,
} from '../../src/protocol/words.ts'
import { at, EMPTY_VIEW } from './builders.ts'
import { Author, nonceOf } from './statements/author.ts'

/** One of the three that a story is about; its author's name is also the id of its agent. */
export type Name = 'backend' | 'frontend' | 'mobile'
const NAMES: readonly Name[] = ['backend', 'frontend', 'mobile']

export interface Opening {
  visibility?: Visibility
  /** Whose repo is named from the beginning. */
  named?: readonly Name[]
  /** Who has claimed its own repo; the founder, who is the backend, confirms it. */
  joined?: readonly Name[]
}

/**
 * What the agents of a project say, one statement after the other, over the tables of the real store. Each must be
 * admitted, so that no test talks about what cannot be.
 */
export class Story {
  readonly authors = {
    backend: new Author('backend'),
    frontend: new Author('frontend'),
    mobile: new Author('mobile'),
  }
  readonly founding: Statement
  readonly projectId: string
  readonly claims: Partial<Record<Name, Statement>> = {}
  readonly #tables = new Tables(() => at(1000))
  readonly #facts = new Map<string, Statement>()
  readonly #admitted: Admitted = {
    fact: (id) => this.#facts.get(id),
    founding: (projectId) => this.#tables.projects.get(projectId)?.said.founding,
    redactionsOf: (id) => this.#tables.projects.get(this.projectId)?.said.redactionsOf(id) ?? [],
  }
  #seq = 0

  constructor({ visibility = 'all', named = ['backend', 'frontend'], joined = named }: Opening = {}) {
    const { backend } = this.authors
    this.founding = this.say(backend.found(at(0), { visibility }))
    this.projectId = this.founding.project_id
    for (const name of named) this.say(backend.nameRepo(this.founding, name, at(0, 1)))
    for (const name of joined) this.joins(name)
  }

  /** Also what somebody else made up. */
  say(statement: Statement): Statement {
    const verdict = admit(statement, this.#admitted, at(1000))
    if (verdict.outcome !== 'admitted') throw new Error(`not admitted: ${JSON.stringify(verdict)}`)
    this.#tables.apply({ statement, bytes: 0, seq: ++this.#seq })
    this.#tables.strip()
    this.#facts.set(statement.id, statement)
    return statement
  }

  get found(): ProjectView {
    const found = this.#tables.projects.get(this.projectId)
    if (found === undefined) throw new Error('the story has no project')
    return found
  }

  /** A daemon that holds this project and nothing else. */
  get view(): View {
    return {
      ...EMPTY_VIEW,
      projects: this.#tables.projects,
      projectsNaming: (hash) => this.#tables.projectsNaming(hash),
    }
  }

  repoId(name: Name): string {
    for (const repo of this.found.repos.oldestFirst()) if (repo.name === name) return repo.repo_id
    throw new Error(`no repo ${name}`)
  }

  contract({ about }: Statement): ContractEntity {
    const contract = this.found.contracts.get(about)
    if (contract === undefined) throw new Error('no such contract')
    return contract
  }

  packet({ about }: Statement): PacketEntity {
    const packet = this.found.packets.get(about)
    if (packet === undefined) throw new Error('no such packet')
    return packet
  }

  joins(name: Name, now: Stamp = at(1), { isConfirmed = true } = {}): Statement {
    const claim = this.say(this.authors[name].claim(this.projectId, name, now))
    this.claims[name] = claim
    if (isConfirmed) this.say(this.authors.backend.confirm(this.founding, claim, now))
    return claim
  }

  releases(name: Name, now: Stamp): Statement {
    return this.say(this.authors[name].release(this.#claimOf(name), now))
  }

  proposes(name: Name, now: Stamp, given: Proposal = {}): Statement {
    const { parties = NAMES.filter((one) => this.claims[one] !== undefined), ...rest } = given
    const ids = parties.map((one) => this.repoId(one))
    const nonce = nonceOf(`contract ${this.#seq}`)
    return this.say(this.authors[name].propose(this.#claimOf(name), now, { parties: ids, nonce, ...rest }))
  }

  revises(name: Name, parent: Statement, now: Stamp, content: JsonObject = { path: '/v2' }): Statement {
    return this.say(this.authors[name].revise(this.#claimOf(name), parent, { at: now, content }))
  }

  answers(name: Name, revision: Statement, action: ResponseAction, now: Stamp): Statement {
    return this.say(this.authors[name].answer(this.#claimOf(name), revision, { at: now, action }))
  }

  works(name: Name, revision: Statement, status: 'in_progress' | 'complete', now: Stamp): Statement {
    return this.say(this.authors[name].work(this.#claimOf(name), revision, { at: now, status }))
  }

  /** Of all the work that there is. */
  verifies(name: Name, revision: Statement, result: VerificationResult, now: Stamp): Statement {
    const judged = this.contract(revision).works.map(({ repo_id, id }) => ({ repo_id, work: id }))
    return this.say(this.authors[name].verify(this.#claimOf(name), revision, { at: now, result, judged }))
  }

  shares(
    name: Name,
    now: Stamp,
    { type = 'decision', content = {}, replyTo, related = [] }: Shared = {},
  ): Statement {
    const author = this.authors[name]
    const nonce = nonceOf(`packet ${this.#seq}`)
    const body = { type, related_contracts: related, reply_to: replyTo?.about ?? null, nonce }
    return this.say(author.open(this.#claimOf(name), { kind: 'packet', at: now, body, content }))
  }

  redacts(name: Name, of: Statement, now: Stamp): Statement {
    return this.say(this.authors[name].redact(this.#claimOf(name), of, now))
  }

  #claimOf(name: Name): Statement {
    const claim = this.claims[name]
    if (claim === undefined) throw new Error(`${name} has not joined`)
    return claim
  }
}

interface Proposal {
  parties?: readonly Name[]
  type?: ContractType
  name?: string
  content?: JsonObject
}

interface Shared {
  type?: ContextType
  content?: JsonObject
  replyTo?: Statement
  related?: readonly string[]
}

/** A contract of the backend and the frontend, in the state that it is asked for in. */
export interface Told {
  readonly story: Story
  /** Its newest version. */
  readonly revision: Statement
  readonly contract: ContractEntity
}

const told = (story: Story, revision: Statement): Told => ({
  story,
  revision,
  get contract() {
    return story.contract(revision)
  },
})

export function proposed(content?: JsonObject): Told {
  const story = new Story()
  return told(story, story.proposes('backend', at(10), content === undefined ? {} : { content }))
}

export function negotiating(): Told {
  const { story, revision } = proposed()
  story.answers('frontend', revision, 'request_change', at(11))
  return told(story, revision)
}

export function agreed(): Told {
  const { story, revision } = proposed()
  story.answers('frontend', revision, 'agree', at(11))
  return told(story, revision)
}

export function implemented(): Told {
  const { story, revision } = agreed()
  story.works('backend', revision, 'complete', at(12))
  story.works('frontend', revision, 'complete', at(13))
  return told(story, revision)
}

export function verified(): Told {
  const { story, revision } = implemented()
  story.verifies('frontend', revision, 'success', at(14))
  return told(story, revision)
}
