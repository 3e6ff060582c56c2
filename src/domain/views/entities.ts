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
import type { Sender, Tolerance } from '../interface/model.ts'
import type { RepoDescription } from '../model.ts'
import type { Evidence } from '../proof/evidence.ts'
import type { IgnoredFile } from '../proof/ignored-file.ts'
import type { SpeaksBy } from '../statements/say.ts'
import type { Statement } from '../statements/statement.ts'
import type { PublicKey } from '../trust/trust.ts'
import type { Mark } from './speakers.ts'
import type { Tenure } from './tenures.ts'

/** What is derived from the statements of a project. None of it is stored; values are never changed in place. */

/** Which repo and agent something comes from. */
export interface By {
  /** The id of the statement. */
  readonly id: string
  readonly repo_id: string
  readonly agent_id: string
  readonly timestamp: Stamp
  readonly by_person: boolean
  /** Why it is doubtful: the claim behind it is not confirmed, or has ended since. */
  readonly mark: Mark | undefined
  /** The agent whose daemon signed this on the author's behalf, if the author's own daemon signs nothing. */
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
  /** Null when the founder did it as the founder and not for a repo. */
  readonly repo_id: string | null
  readonly agent_id: string
  readonly at: Stamp
}

export interface ProjectEntity {
  readonly project_id: string
  readonly name: string
  readonly objective: string
  readonly archived: boolean
  /** Who archived it; undefined while it is not archived. */
  readonly archived_by: ArchivedBy | undefined
  readonly visibility: Visibility
  readonly created_at: Stamp
  readonly created_by: string
  /** The key and introduction by which the founder speaks now. */
  readonly founder: SpeaksBy
  readonly reported_by: string | undefined
  readonly updated_at: Stamp
}

export interface RepoEntity extends RepoDescription {
  readonly repo_id: string
  /** The name by which it is named and claimed; the name for display is `shown_name`. */
  readonly name: string
  readonly shown_name: string
  readonly endpoint: string | null
  /** The claim of the agent that speaks for it now. */
  readonly holder: ClaimEntity | undefined
  /** In order of precedence. */
  readonly claims: readonly ClaimEntity[]
  /** Ids of the repo statements that name it and were not removed. */
  readonly namings: readonly string[]
  readonly updated_at: Stamp
}

/** A claim that a settlement ended, also for a repo that no longer exists. */
export interface LostClaim extends Pick<ClaimEntity, 'speaks_by' | 'agent_id' | 'reported_by'> {
  readonly repo_id: string
  /** The key that made the claim, even if it was rotated since. */
  readonly root_key: string
}

export interface ClaimEntity extends Pick<Tenure, 'standing' | 'counts_until' | 'is_restored'> {
  readonly claim_id: string
  readonly agent_id: string
  /** As the claim says it; rotations may have replaced the key since. */
  readonly public_key: PublicKey
  readonly endpoint: string | null
  /** The key and introduction by which this agent speaks now. */
  readonly speaks_by: SpeaksBy
  /** The agent whose daemon signs for this one, which signs nothing itself. */
  readonly reported_by: string | undefined
  readonly claimed_at: Stamp
  readonly released_at: Stamp | undefined
  readonly is_confirmed: boolean
}

export interface ContractEntity {
  readonly contract_id: string
  readonly type: ContractType
  readonly name: string
  readonly created_at: Stamp
  readonly created_by: string
  /** The statement that opened it. */
  readonly opening: string
  /** Status of the head, in the words of the CACP document. */
  readonly status: ContractStatus
  readonly head: RevisionEntity
  /** The agreed revision that applies now, whatever has been proposed since. */
  readonly in_force: { readonly revision: RevisionEntity; readonly status: ContractStatus } | undefined
  /** Revisions that nothing builds on, except the head. */
  readonly conflicts: readonly RevisionEntity[]
  /** Repos whose newest answer to the head is not agree. */
  readonly objections: readonly string[]
  /** Repos that have to agree to the head and have not answered it. */
  readonly unanswered: readonly string[]
  readonly is_withdrawn: boolean
  readonly is_retired: boolean
  /** The newest answer of each party to the head. */
  readonly answers: readonly AnswerEntity[]
  /** The work of each party on the revision in force, ordered by start. */
  readonly works: readonly WorkEntity[]
  /** The newest verification by each party of the revision in force. */
  readonly verifications: readonly VerificationEntity[]
  /** What each repo says that it uses, in the order of the repos' ids; also repos that are no party. */
  readonly expectations: readonly ExpectationEntity[]
  /** What the files of each repo are like, as its daemon said last. */
  readonly trees: readonly TreeEntity[]
  /** Which version the main branch of each repo has, where it said so. */
  readonly merged: readonly MergedEntity[]
  readonly updated_at: Stamp
  /** The repo that made the newest statement that counts. */
  readonly updated_by: string
  /** Number of revisions, answers, works and verifications that count. */
  readonly parts: number
  /**
   * The history, built on demand. This and the members below describe the contract at the time of the call: read them
   * from an entity that the view has just returned, not from one that was kept.
   */
  readonly history: ContractHistory
  /** The contract without its newest statement; undefined if that one opened it. Built on demand. */
  readonly before: ContractEntity | undefined
  /** The newest `most` statements, or the newest before the statement of this id; costs no more than `most`. */
  recent(most: number, before?: string): RecentHistory
  /** The parts of one answer statement; undefined if it has no effect. */
  answer(statement: Statement): AnswerEntity | undefined
  /** The newest version that a repo has completed. */
  implementedBy(repoId: string): RevisionEntity | undefined
  /** The agreements by which a repo accepts changes of this revision, oldest first. */
  acceptances(repoId: string, against: string): readonly AnswerEntity[]
}

/** One page of a history. */
export interface RecentHistory extends ContractHistory {
  /** Number of statements before this page. */
  readonly earlier: number
  /** The oldest statement of this page, from which the earlier page is asked for; undefined on the first page. */
  readonly since: string | undefined
}

/** All statements about a contract, oldest first. */
export interface ContractHistory {
  /** In order of precedence; the last one is the head. */
  readonly revisions: readonly RevisionEntity[]
  readonly answers: readonly AnswerEntity[]
  readonly works: readonly WorkEntity[]
  readonly verifications: readonly VerificationEntity[]
  /** Ids of statements that do not count, or whose author is no party. */
  readonly without_effect: readonly string[]
}

export interface RevisionEntity extends By {
  readonly version: number
  /** Null when it was redacted. */
  readonly content: JsonObject | null
  readonly note: string
  readonly parent: string | null
  readonly resolves: readonly string[]
  readonly retire: boolean
  readonly depends_on: readonly string[]
  /** Repos that have to implement it. */
  readonly parties: readonly string[]
  /** Repos that have to agree: its parties, and those of the revision that it changes. */
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
  /** Fingerprints of changes that this repo takes on itself, though they hurt it. */
  readonly accepts: readonly string[]
  /** The revision that those changes are changes of. */
  readonly accepts_against: string | null
  readonly redacted: Redacted | null
}

export interface WorkEntity extends By {
  readonly revision: string
  /** As reported, or needs_revision after a failed verification. */
  readonly status: ImplementationStatus
  readonly plan: string
  readonly notes: string
  readonly files: readonly string[]
  readonly estimated_files: readonly string[]
  readonly test_endpoint: string | null
  readonly started_at: Stamp
  readonly completed_at: Stamp | null
  /** Failed verifications of this very work, the newest of each party. */
  readonly failures: readonly VerificationEntity[]
}

/** What a repo uses of a contract, and what it can live with. */
export interface ExpectationEntity extends By {
  readonly revision: string
  /** Null: as its role says. */
  readonly side: Sender | null
  /** Places; null: all that is declared. */
  readonly uses: readonly string[] | null
  readonly tolerates: readonly Tolerance[]
  /** By place, the file and line in which it is used. */
  readonly sites: Readonly<Record<string, string>>
}

/** The files that a repo implements a version with. */
export interface TreeEntity extends By {
  readonly revision: string
  readonly digest: string
  /** For each declared file the beginning of its hash; empty: it is not there. */
  readonly hashes: readonly string[]
  /** Files that changed since the newest verification, the first of them. */
  readonly moved: readonly string[]
  /** Declared files that are there and count as not there, the first of them. */
  readonly ignored: readonly IgnoredFile[]
}

export interface MergedEntity extends By {
  readonly revision: string
  readonly commit: string | null
}

export interface VerificationEntity extends By {
  readonly revision: string
  readonly result: VerificationResult
  readonly judged: readonly { readonly repo_id: string; readonly work: string }[]
  readonly blames: readonly string[]
  readonly notes: string
  readonly failure_details: JsonObject | string | null
  readonly evidence: readonly Evidence[]
  /** By repo id, the digest of the files that it judged; missing where that repo's daemon had stated none. */
  readonly trees: ReadonlyMap<string, string>
  readonly redacted: Redacted | null
}

export interface PacketEntity extends By {
  readonly packet_id: string
  /** Whether its author spoke for that repo at the time. Otherwise it is listed and has no other effect. */
  readonly counts: boolean
  readonly type: ContextType
  /** Null when it was redacted. */
  readonly content: JsonObject | null
  readonly related_contracts: readonly string[]
  readonly reply_to: string | null
  readonly redacted: Redacted | null
  readonly updated_at: Stamp
}

/** A receipt: this repo's agent has read a contract or packet in the state whose newest statement has the time `of`. */
export interface Sighting {
  readonly repo_id: string
  readonly of: Stamp
  /** Number of parts that it had then. */
  readonly parts: number
  readonly at: Stamp
}
