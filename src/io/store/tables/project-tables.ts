import { entityKindOf } from '../../../domain/entity.ts'
import { byTime, type Statement } from '../../../domain/statements/statement.ts'
import type { ProjectView } from '../../../domain/view.ts'
import type {
  ContractEntity,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
  Sighting,
} from '../../../domain/views/entities.ts'
import { ProjectStatements } from '../../../domain/views/project-statements.ts'
import { isWide, type Kept } from '../../../domain/views/statement-index.ts'
import type { SequencedStatement } from '../../../engine/ports/ports.ts'
import type { Stamp } from '../../../protocol/stamp.ts'
import type { FileNames } from '../files/names.ts'
import { EntityTable } from './entity-table.ts'
import { NameIndex } from './name-index.ts'
import { PacketTable } from './packet-table.ts'
import { RedactedContents, type Undo } from './redacted-contents.ts'

/** All that is stored of one project: its statements, the entities they make, and indexes of them. */
export class ProjectParts {
  readonly said = new ProjectStatements()
  readonly repos = new EntityTable<RepoEntity>((id) => this.said.repo(id))
  readonly contracts = new EntityTable<ContractEntity>((id) => this.said.contract(id))
  readonly packets: PacketTable
  readonly #contractNames = new NameIndex()
  /** By entity, the sequence number of its last change. */
  readonly seqs = new Map<string, number>()
  readonly redacted = new RedactedContents(this.said, (about) =>
    this.packets.update(about, this.#firstPacket(about)),
  )

  readonly #isPacket = (id: string): boolean => this.packets.get(id) !== undefined

  constructor(projectId: string, fileNames: FileNames) {
    this.packets = new PacketTable((id) => this.said.packet(id), projectId, fileNames)
  }

  /** Adds a statement that `isNews` has found to be new. Returns a function that undoes it. */
  put(one: Kept): Undo {
    const { statement, seq } = one
    const { about } = statement
    const seqBefore = this.seqs.get(about)
    const unput = this.said.put(one)
    if (statement.kind !== 'sighting') this.seqs.set(about, seq)
    this.redacted.added(statement)
    this.#place(statement)
    return () => {
      unput()
      if (isOpening(statement)) this.#contractNames.remove(nameIn(statement), about)
      if (seqBefore === undefined) this.seqs.delete(about)
      else this.seqs.set(about, seqBefore)
      this.#placeAnew(about)
    }
  }

  /**
   * Removes a statement that no other one cites. Returns a function that undoes it; undefined when the statement is
   * not here.
   */
  drop(id: string, seq: number): Undo | undefined {
    const statement = this.said.get(id)
    const undrop = this.said.drop(id)
    if (statement === undefined || undrop === undefined) return undefined
    const { about } = statement
    const seqBefore = this.seqs.get(about)
    if (this.said.knows(about)) this.seqs.set(about, seq)
    else this.seqs.delete(about)
    this.#displace(statement)
    return () => {
      undrop()
      if (seqBefore !== undefined) this.seqs.set(about, seqBefore)
      this.#place(statement)
      this.#recount()
    }
  }

  *contractsCalled(name: string): Iterable<ContractEntity> {
    for (const id of this.#contractNames.idsOf(name)) {
      const contract = this.contracts.get(id)
      if (contract?.name === name) yield contract
    }
  }

  changeBy({ statement, seq }: Kept): SequencedStatement {
    const { project_id, about: id } = statement
    const kind = entityKindOf(statement, this.#isPacket)
    return { kind, project_id, id, seq, isWide: isWide(statement), statement }
  }

  /** Puts the entity that the statement is about at its place in the order. */
  #place(statement: Statement): void {
    const { kind, about, at, body } = statement
    if (kind === 'repo') this.repos.place(about, String(body['name']))
    if (kind === 'claim') this.repos.place(about, String(body['repo_name']))
    if (isOpening(statement)) {
      if (at < (this.contracts.placeOf(about) ?? '~')) this.contracts.place(about, at)
      this.#contractNames.add(nameIn(statement), about)
    }
    if (kind === 'packet' || kind === 'redaction') this.packets.update(about, this.#firstPacket(about))
    if (isWide({ kind })) this.#recount()
  }

  /** The same after a statement was removed, from all statements that are left. */
  #placeAnew(about: string): void {
    if (this.said.saidAbout(about, 'repo').size + this.said.saidAbout(about, 'claim').size === 0)
      this.repos.remove(about)
    const openings = [...this.said.saidAbout(about, 'revision')].filter(isOpening)
    const [first] = openings.sort(byTime)
    for (const one of openings) this.#contractNames.add(nameIn(one), about)
    if (first === undefined) this.contracts.remove(about)
    else this.contracts.place(about, first.at)
    this.packets.update(about, this.#firstPacket(about))
    this.#recount()
  }

  /** The same for a dropped statement. One that did not open an entity leaves all places as they are. */
  #displace(statement: Statement): void {
    const { kind, about } = statement
    if (isOpening(statement)) this.#contractNames.remove(nameIn(statement), about)
    if (!PLACING.has(kind) || (kind === 'revision' && !isOpening(statement))) this.#recount()
    else this.#placeAnew(about)
  }

  /** The earliest counts when an author gave the same id to several packets. */
  #firstPacket(about: string): Statement | undefined {
    let first: Statement | undefined
    for (const one of this.said.saidAbout(about, 'packet'))
      if (first === undefined || byTime(one, first) < 0) first = one
    return first
  }

  #recount(): void {
    this.repos.recount()
    this.contracts.recount()
    this.packets.recount()
  }
}

const isOpening = ({ kind, body }: Statement): boolean => kind === 'revision' && body['parent'] === null

const nameIn = ({ body }: Statement): string => String(body['name'])

/** The kinds of statements that give an entity its place in the order. */
const PLACING = new Set(['repo', 'claim', 'revision', 'packet', 'redaction'])

/**
 * A project as decisions see it. Every change makes a new object over the same parts, so that values cached by this
 * object are dropped.
 */
export class ProjectTables implements ProjectView {
  readonly parts: ProjectParts
  readonly repos: ProjectView['repos']
  readonly contracts: ProjectView['contracts']
  readonly packets: ProjectView['packets']

  constructor(parts: ProjectParts) {
    this.parts = parts
    this.repos = parts.repos
    this.contracts = parts.contracts
    this.packets = parts.packets
  }

  get project(): ProjectEntity {
    const { project } = this.parts.said
    if (project === undefined) throw new TypeError('a project begins with its founding')
    return project
  }

  get said(): ProjectStatements {
    return this.parts.said
  }

  contractsCalled(name: string): Iterable<ContractEntity> {
    return this.parts.contractsCalled(name)
  }

  questionsCalled(name: string): Iterable<PacketEntity> {
    return this.parts.packets.questionsCalled(name)
  }

  sightingsOf(id: string): readonly Sighting[] {
    return this.said.sightingsOf(id)
  }

  repliesTo(packetId: string): Iterable<PacketEntity> {
    return this.parts.packets.repliesTo(packetId)
  }

  packetsNaming(sha256: string): Iterable<PacketEntity> {
    return this.parts.packets.naming(sha256)
  }

  seqOf(_kind: 'repo' | 'contract' | 'packet', id: string): number | undefined {
    return this.parts.seqs.get(id)
  }

  newestAbout(id: string): Stamp | undefined {
    return this.said.newestAbout(id)
  }
}
