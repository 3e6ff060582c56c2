import { entityOf } from '../../domain/entity.ts'
import { type Statement, textOf, withoutContent } from '../../domain/statements/statement.ts'
import type { ProjectView } from '../../domain/view.ts'
import type {
  ContractEntity,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
  Sighting,
} from '../../domain/views/entities.ts'
import { isWide, type Kept, ProjectStatements } from '../../domain/views/project-statements.ts'
import type { SequencedStatement } from '../../engine/ports.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { FileNames } from './file-names.ts'
import { FoldedShelf } from './folded-shelf.ts'
import { PacketShelf } from './packet-shelf.ts'

/** What is kept of one project, in whatever state it is. */
export class ProjectParts {
  readonly said = new ProjectStatements()
  readonly repos = new FoldedShelf<RepoEntity>((id) => this.said.repo(id))
  readonly contracts = new FoldedShelf<ContractEntity>((id) => this.said.contract(id))
  readonly packets: PacketShelf
  /** By entity, the place of its last change. */
  readonly seqs = new Map<string, number>()

  constructor(projectId: string, fileNames: FileNames) {
    this.packets = new PacketShelf((id) => this.said.packet(id), projectId, fileNames)
  }

  /** Whether it is news was asked before. Returns what takes it back. */
  put(one: Kept): () => void {
    const { statement, seq } = one
    const before = this.said.inPlaceOf(statement)
    const seqBefore = this.seqs.get(statement.about)
    this.said.put(one)
    if (statement.kind !== 'sighting') this.seqs.set(statement.about, seq)
    this.#look(statement)
    const restore = this.#strip(statement)
    return () => {
      restore()
      this.said.undo(one, before)
      if (seqBefore === undefined) this.seqs.delete(statement.about)
      else this.seqs.set(statement.about, seqBefore)
      this.#look(statement)
      this.#recount()
    }
  }

  changeBy({ statement, seq }: Kept): SequencedStatement {
    const isPacket = (id: string) => this.packets.get(id) !== undefined
    return { ...entityOf(statement, isPacket), seq, isWide: isWide(statement), statement }
  }

  /** Finds the place of what the statement is about. */
  #look({ kind, about }: Statement): void {
    switch (kind) {
      case 'repo':
      case 'claim':
        this.#placeRepo(about)
        break
      case 'revision':
        this.#placeContract(about)
        break
      case 'packet':
      case 'redaction':
        if (!isEmpty(this.said.saidAbout(about, 'packet'))) this.packets.look(about)
        break
    }
    if (isWide({ kind })) this.#recount()
  }

  #recount(): void {
    this.repos.recount()
    this.contracts.recount()
    this.packets.recount()
  }

  /** A repo goes by the name that its id comes from. */
  #placeRepo(id: string): void {
    for (const kind of ['repo', 'claim'])
      for (const { body } of this.said.saidAbout(id, kind))
        return this.repos.place(id, String(kind === 'repo' ? body['name'] : body['repo_name']))
    this.repos.remove(id)
  }

  #placeContract(id: string): void {
    let first: Stamp | undefined
    for (const { body, at } of this.said.saidAbout(id, 'revision'))
      if (body['parent'] === null && (first === undefined || at < first)) first = at
    if (first === undefined) this.contracts.remove(id)
    else this.contracts.place(id, first)
  }

  /** Takes the content away that a redaction with an effect is about. Nothing that is seen changes by it. */
  #strip({ kind, about, body }: Statement): () => void {
    const of = kind === 'redaction' ? this.said.fact(String(body['of'])) : undefined
    if (of?.content === undefined || !this.#isRedacted(about, of.id)) return () => {}
    const before = this.said.inPlaceOf(of)
    if (before === undefined) return () => {}
    const bare = withoutContent(of)
    this.said.put({ ...before, statement: bare, bytes: Buffer.byteLength(textOf(bare)) })
    return () => this.said.put(before)
  }

  #isRedacted(about: string, id: string): boolean {
    const packet = this.said.packet(about)
    if (packet?.id === id) return packet.redacted !== null
    const history = this.said.history(about)
    if (history === undefined) return false
    const { revisions, answers, verifications } = history
    return [...revisions, ...answers, ...verifications].some((one) => one.id === id && one.redacted !== null)
  }
}

/** A project as decisions see it: another object over the same parts after every change. */
export class ProjectTables implements ProjectView {
  readonly #parts: ProjectParts
  readonly repos: ProjectView['repos']
  readonly contracts: ProjectView['contracts']
  readonly packets: ProjectView['packets']

  constructor(parts: ProjectParts) {
    this.#parts = parts
    this.repos = parts.repos
    this.contracts = parts.contracts
    this.packets = parts.packets
  }

  get project(): ProjectEntity {
    const { project } = this.#parts.said
    if (project === undefined) throw new TypeError('a project begins with its founding')
    return project
  }

  get said(): ProjectStatements {
    return this.#parts.said
  }

  get parts(): ProjectParts {
    return this.#parts
  }

  sightingsOf(id: string): readonly Sighting[] {
    return this.said.sightingsOf(id)
  }

  repliesTo(packetId: string): Iterable<PacketEntity> {
    return this.#parts.packets.repliesTo(packetId)
  }

  packetsNaming(sha256: string): Iterable<PacketEntity> {
    return this.#parts.packets.naming(sha256)
  }

  seqOf(_kind: 'repo' | 'contract' | 'packet', id: string): number | undefined {
    return this.#parts.seqs.get(id)
  }

  newestAbout(id: string): Stamp | undefined {
    return this.said.newestAbout(id)
  }
}

const isEmpty = (values: Iterable<unknown>): boolean => {
  for (const _ of values) return false
  return true
}
