import type { JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type {
  ContextType,
  ContractStatus,
  ContractType,
  ImplementationStatus,
  ResponseAction,
  VerificationResult,
  Visibility,
} from '../../protocol/words.ts'
import type { SpeaksBy } from '../statements/say.ts'
import type { Statement } from '../statements/statement.ts'
import type { PublicKey } from '../trust/trust.ts'
import type { Mark } from './speakers.ts'
import type { TenureStanding } from './tenures.ts'

/** What the statements of a project add up to. Nothing of it is stored; values are never changed in place. */

/** Whose word something is. */
export interface By {
  /** The statement that says it. */
  readonly id: string
  readonly repo_id: string
  readonly agent_id: string
  readonly timestamp: Stamp
  readonly by_person: boolean
  /** A reservation: the claim behind it is not confirmed, or has ended since. */
  readonly mark: Mark | undefined
  /** The agent whose daemon heard it and signed for it, where the author's signs nothing itself. */
  readonly reported_by: string | undefined
  /** Thumbprint of the key that signed it. */
  readonly key: string
}

export interface Redacted {
  readonly by: string
  readonly at: Stamp
  readonly reason: string
}

export interface ArchivedBy {
  /** Null: the founder, as the founder. */
  readonly repo_id: string | null
  readonly agent_id: string
  readonly at: Stamp
}

export interface ProjectEntity {
  readonly project_id: string
  readonly name: string
  readonly objective: string
  readonly archived: boolean
  /** Who did that; undefined while it is not. */
  readonly archived_by: ArchivedBy | undefined
  readonly visibility: Visibility
  readonly created_at: Stamp
  readonly created_by: string
  /** By what the founder speaks now. */
  readonly founder: SpeaksBy
  readonly reported_by: string | undefined
  readonly updated_at: Stamp
}

export interface RepoEntity {
  readonly repo_id: string
  /** By which it is named and claimed; what people are shown may be another one. */
  readonly name: string
  readonly shown_name: string
  readonly role: string
  readonly language: string
  readonly relevant_paths: readonly string[]
  readonly url: string | null
  readonly endpoint: string | null
  /** Who speaks for it now. */
  readonly holder: ClaimEntity | undefined
  /** Those that count before others first. */
  readonly claims: readonly ClaimEntity[]
  /** Namings that nobody took back. */
  readonly namings: readonly string[]
  readonly updated_at: Stamp
}

/** A claim that a settlement ended, also of a repo that is not there any more. */
export interface LostClaim extends Pick<ClaimEntity, 'speaks_by' | 'agent_id' | 'reported_by'> {
  readonly repo_id: string
  /** The key that made it, whatever has taken its place since. */
  readonly root_key: string
}

export interface ClaimEntity {
  readonly claim_id: string
  readonly agent_id: string
  /** As the claim says it; rotations may have replaced the key since. */
  readonly public_key: PublicKey
  readonly endpoint: string | null
  /** By what this agent speaks now. */
  readonly speaks_by: SpeaksBy
  /** The agent whose daemon speaks for this one, which signs nothing itself. */
  readonly reported_by: string | undefined
  readonly claimed_at: Stamp
  readonly released_at: Stamp | undefined
  readonly is_confirmed: boolean
  readonly standing: TenureStanding
  /** Of a settled one: until when what was said under it counts. */
  readonly counts_until: Stamp | null
  /** Of a settled one: whether that goes before what its own keys said about when they ended. */
  readonly is_restored: boolean
}

export interface ContractEntity {
  readonly contract_id: string
  readonly type: ContractType
  readonly name: string
  readonly created_at: Stamp
  readonly created_by: string
  /** The statement that opened it. */
  readonly opening: string
  /** Of the head; the document's word. */
  readonly status: ContractStatus
  readonly head: RevisionEntity
  /** What holds now, whatever is proposed beside it. */
  readonly in_force: { readonly revision: RevisionEntity; readonly status: ContractStatus } | undefined
  /** Ends of the history besides the head. */
  readonly conflicts: readonly RevisionEntity[]
  /** Repos whose newest answer to the head is no. */
  readonly objections: readonly string[]
  /** Repos that have to agree to the head and have not answered it. */
  readonly unanswered: readonly string[]
  readonly is_withdrawn: boolean
  readonly is_retired: boolean
  /** The newest answer of each party to the head. */
  readonly answers: readonly AnswerEntity[]
  /** How far each party is with what is in force, in the order in which they started. */
  readonly works: readonly WorkEntity[]
  /** The newest judgement of each party on what is in force. */
  readonly verifications: readonly VerificationEntity[]
  readonly updated_at: Stamp
  /** Who said the last thing that counts; with the answer, the one that a revision is moved by. */
  readonly updated_by: string
  /** How many revisions, answers, works and verifications there are that count. */
  readonly parts: number
  /**
   * All that was said; put together when it is asked for. This and what follows tell how it is by then: read them off what
   * the view has just given, and not off an entity that was kept.
   */
  readonly history: ContractHistory
  /** As it was without the newest thing that was said; undefined where that opened it. Found when it is asked for. */
  readonly before: ContractEntity | undefined
  /** The newest of what was said, or of what was said before this statement; it costs no more than so many. */
  recent(most: number, before?: string): RecentHistory
  /** What an answer to it says; undefined where that has no effect. */
  answer(statement: Statement): AnswerEntity | undefined
}

/** A piece of a history. */
export interface RecentHistory extends ContractHistory {
  /** How much was said before it. */
  readonly earlier: number
  /** The oldest statement in it, which what is earlier comes before; undefined where nothing is. */
  readonly since: string | undefined
}

/** All that was said about a contract, oldest first. */
export interface ContractHistory {
  /** In order of precedence; the last one is the head. */
  readonly revisions: readonly RevisionEntity[]
  readonly answers: readonly AnswerEntity[]
  readonly works: readonly WorkEntity[]
  readonly verifications: readonly VerificationEntity[]
  /** What was said under a claim that does not count, or by somebody who is no party. */
  readonly without_effect: readonly string[]
}

export interface RevisionEntity extends By {
  readonly version: number
  /** Null when it was taken away. */
  readonly content: JsonObject | null
  readonly note: string
  readonly parent: string | null
  readonly resolves: readonly string[]
  readonly retire: boolean
  readonly depends_on: readonly string[]
  /** Repos that have to implement it. */
  readonly parties: readonly string[]
  /** Repos that have to agree: its parties, and those of what it changes. */
  readonly needed: readonly string[]
  readonly is_agreed: boolean
  readonly redacted: Redacted | null
}

export interface AnswerEntity extends By {
  readonly revision: string
  readonly version: number
  readonly action: ResponseAction
  readonly comment: string
  readonly suggested_change: JsonObject | string | null
  readonly redacted: Redacted | null
}

export interface WorkEntity extends By {
  readonly revision: string
  /** As it is after what verifications say of it. */
  readonly status: ImplementationStatus
  readonly plan: string
  readonly notes: string
  readonly files: readonly string[]
  readonly estimated_files: readonly string[]
  readonly test_endpoint: string | null
  readonly started_at: Stamp
  readonly completed_at: Stamp | null
  /** What parties said against this very work, the newest word of each. */
  readonly failures: readonly VerificationEntity[]
}

export interface VerificationEntity extends By {
  readonly revision: string
  readonly result: VerificationResult
  readonly judged: readonly { readonly repo_id: string; readonly work: string }[]
  readonly blames: readonly string[]
  readonly notes: string
  readonly failure_details: JsonObject | string | null
  readonly redacted: Redacted | null
}

export interface PacketEntity extends By {
  readonly packet_id: string
  /** Whether its author spoke for that repo when it said it. What does not count stays visible, and nothing more. */
  readonly counts: boolean
  readonly type: ContextType
  /** Null when it was taken away. */
  readonly content: JsonObject | null
  readonly related_contracts: readonly string[]
  readonly reply_to: string | null
  readonly redacted: Redacted | null
  readonly updated_at: Stamp
}

/** This repo's agent was shown a contract or packet, as it was when its newest stamp was this. */
export interface Sighting {
  readonly repo_id: string
  readonly of: Stamp
  /** How many pieces it had. */
  readonly parts: number
  readonly at: Stamp
}
