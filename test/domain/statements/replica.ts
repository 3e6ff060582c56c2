import { type Admitted, admit } from '../../../src/domain/statements/admit.ts'
import { bodyOf } from '../../../src/domain/statements/kind.ts'
import { rotation as rotationKind, rotationProof } from '../../../src/domain/statements/rotation.ts'
import { hasLostContent, type Statement, signedText } from '../../../src/domain/statements/statement.ts'
import { WaitingPool } from '../../../src/domain/statements/waiting.ts'
import { ProjectStatements } from '../../../src/domain/views/project-statements.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
import { signatureOf } from '../../support/simulated/identity.ts'
import { at } from './at.ts'

export type Outcome = 'taken' | 'known' | 'waits' | 'no room' | `refused: ${string}`

/** One that hears statements of a project in some order, as a daemon does. */
export class Replica implements Admitted {
  readonly statements = new ProjectStatements()
  readonly #pool = new WaitingPool()
  readonly #facts = new Map<string, Statement>()
  readonly #redactions = new Map<string, Statement[]>()
  readonly #now: Stamp

  constructor(now: Stamp = at(1000)) {
    this.#now = now
  }

  fact(id: string): Statement | undefined {
    return this.#facts.get(id)
  }

  founding(projectId: string): Statement | undefined {
    return [...this.#facts.values()].find(({ kind, about }) => kind === 'project' && about === projectId)
  }

  *redactionsOf(id: string): Iterable<Statement> {
    yield* this.#redactions.get(id) ?? []
    for (const { statement } of this.#pool.waitingFor(id)) if (statement.kind === 'redaction') yield statement
  }

  hear(statement: Statement): Outcome {
    const known = this.#facts.get(statement.id)
    const kept = this.statements.get(statement.id) ?? known
    if (kept !== undefined && (hasLostContent(statement) || !hasLostContent(kept))) return 'known'
    const verdict = admit(statement, this, this.#now)
    if (verdict.outcome === 'refused') return `refused: ${verdict.reason}`
    if (verdict.outcome === 'waits') return this.#wait(statement, verdict.for)
    if (statement.sig !== signatureOf(verdict.signer, signedText(statement.id)))
      return 'refused: sig is not by its key'
    if (statement.kind === 'rotation' && !isProven(statement)) return 'refused: proof is not by the new key'
    const isNew = this.statements.add({ statement, bytes: 0, seq: 0 }) && known === undefined
    this.#facts.set(statement.id, statement)
    if (statement.kind === 'redaction') this.#noteRedaction(statement)
    for (const waited of this.#pool.take(statement.id)) this.hear(waited.statement)
    if (statement.kind === 'project')
      for (const waited of this.#pool.take(statement.about)) this.hear(waited.statement)
    return isNew ? 'taken' : 'known'
  }

  hearAll(statements: Iterable<Statement>): this {
    for (const one of statements) this.hear(one)
    return this
  }

  /** All entities as they are seen here. */
  state(): unknown {
    return stateOf(this.statements)
  }

  #wait(statement: Statement, id: string): Outcome {
    const hasRoom = this.#pool.add({ statement, sender: 'somebody', chars: 1, isSigned: true }, id)
    // A redaction and a statement that comes without its content can only be let in together.
    if (statement.kind === 'redaction')
      for (const one of [...this.#pool.waitingFor(id)]) if (one.statement.id === id) this.hear(one.statement)
    return hasRoom ? 'waits' : 'no room'
  }

  #noteRedaction(redaction: Statement): void {
    const of = String(redaction.body['of'])
    this.#redactions.set(of, [...(this.#redactions.get(of) ?? []), redaction])
  }
}

function isProven(rotation: Statement): boolean {
  const { public_key, proof } = bodyOf(rotationKind, rotation)
  return proof === signatureOf(public_key, rotationProof(rotation))
}

/** Everything that statements add up to, in an order of its own. */
export function stateOf(statements: ProjectStatements): unknown {
  const seen = (...kinds: string[]) => [...statements.about(...kinds)].sort()
  return {
    ids: [...statements].map(({ id }) => id).sort(),
    project: statements.project,
    repos: seen('repo', 'claim').map((id) => statements.repo(id)),
    contracts: seen('revision').map((id) => [statements.contract(id), statements.history(id)]),
    packets: seen('packet').map((id) => statements.packet(id)),
    sightings: seen('sighting').map((id) => statements.sightingsOf(id)),
  }
}
