import type { Unsigned } from '../../src/domain/statements/say.ts'
import { byTime, type Statement, textOf as writtenOf } from '../../src/domain/statements/statement.ts'
import type { ProjectView } from '../../src/domain/view.ts'
import { ProjectStatements } from '../../src/domain/views/project-statements.ts'
import type { Store } from '../../src/engine/ports/ports.ts'
import { canonicalText } from '../../src/protocol/json/canonical.ts'

/** What a daemon holds, by the place that it is kept in: facts by their id, registers by author, entity and name. */
export type State = ReadonlyMap<string, Statement>

/** By kind, what tells several registers of an author apart; written down again, so that a mistake there shows here. */
const REGISTERS: ReadonlyMap<string, string | null> = new Map([
  ['title', 'field'],
  ['work', 'revision'],
  ['description', null],
  ['sighting', null],
  ['expectation', 'register'],
  ['tree', 'register'],
  ['merged', 'register'],
  // No daemon knows this kind; the hostile member says it.
  ['weather', 'register'],
])

export function placeOf({ id, kind, about, under, body }: Unsigned | Statement): string {
  const name = REGISTERS.get(kind)
  if (name === undefined) return id
  return [kind, about, under, name === null ? '' : String(body[name])].join(' ')
}

export function stateOf(store: Pick<Store, 'statements'>): State {
  return new Map(Array.from(store.statements(), ({ statement }) => [placeOf(statement), statement]))
}

const texts = new WeakMap<Statement, string>()

/** Statements are never changed in place, so their text is written once. */
export function textOf(statement: Statement): string {
  let text = texts.get(statement)
  if (text === undefined) {
    text = writtenOf(statement)
    texts.set(statement, text)
  }
  return text
}

/** Whether a statement is there, or a newer word of the same register. */
export function holds(state: State, statement: Unsigned | Statement): boolean {
  const kept = state.get(placeOf(statement))
  return kept !== undefined && byTime(kept, statement as Statement) >= 0
}

/** Everything that is seen of a project, as one text. */
export function seenOf({ project, repos, contracts, packets, sightingsOf }: Seen): string {
  const ids = [...contracts, ...packets].map((one) =>
    'contract_id' in one ? one.contract_id : one.packet_id,
  )
  return canonicalText({
    project,
    repos,
    contracts: contracts.map((contract) => ({ ...contract, history: contract.history })),
    packets,
    sightings: ids.map((id) => sightingsOf(id)),
  })
}

interface Seen {
  readonly project: ProjectView['project'] | undefined
  readonly repos: readonly unknown[]
  readonly contracts: readonly ContractOf[]
  readonly packets: readonly PacketOf[]
  readonly sightingsOf: ProjectView['sightingsOf']
}

type ContractOf = NonNullable<ReturnType<ProjectView['contracts']['get']>>
type PacketOf = NonNullable<ReturnType<ProjectView['packets']['get']>>

export const seenIn = (found: ProjectView): string =>
  seenOf({
    project: found.project,
    repos: byId(found.repos.oldestFirst(), ({ repo_id }) => repo_id),
    contracts: byId(found.contracts.oldestFirst(), ({ contract_id }) => contract_id),
    packets: byId(found.packets.oldestFirst(), ({ packet_id }) => packet_id),
    sightingsOf: (id) => found.sightingsOf(id),
  })

/** The same, made anew of nothing but the statements, in another order. */
export function refolded(statements: Iterable<Statement>): string {
  const said = new ProjectStatements()
  const all = [...statements].sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const [seq, statement] of all.entries()) said.put({ statement, bytes: 0, seq })
  const ids = (...kinds: string[]) => [...said.about(...kinds)].sort()
  return seenOf({
    project: said.project,
    repos: ids('repo', 'claim').flatMap((id) => said.repo(id) ?? []),
    contracts: ids('revision').flatMap((id) => said.contract(id) ?? []),
    packets: ids('packet').flatMap((id) => said.packet(id) ?? []),
    sightingsOf: (id) => said.sightingsOf(id),
  })
}

const byId = <Value>(values: Iterable<Value>, idOf: (value: Value) => string): Value[] =>
  [...values].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
