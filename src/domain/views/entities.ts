import type { Stamp } from '../../protocol/stamp.ts'
import type { ContractStatus, ContractType } from '../../protocol/words.ts'
import type { Statement } from '../statements/statement.ts'
import type { byOf, redactedBy } from './by.ts'
import type * as parts from './contract-parts.ts'
import type { foldPacket } from './packet.ts'
import type { foldProject } from './project.ts'
import type { claimsIn, foldRepo } from './repo.ts'
import type { foldSightings } from './tally.ts'

/** What is derived from the statements of a project. None of it is stored; values are never changed in place. */

/** Which repo and agent something comes from. */
export type By = Readonly<ReturnType<typeof byOf>>

export type Redacted = Readonly<ReturnType<typeof redactedBy>>

export type ProjectEntity = Readonly<ReturnType<typeof foldProject>>

export type RepoEntity = Readonly<NonNullable<ReturnType<typeof foldRepo>>>

/** A claim that a settlement ended, also for a repo that no longer exists. */
export interface LostClaim extends Pick<ClaimEntity, 'speaks_by' | 'agent_id' | 'reported_by'> {
  readonly repo_id: string
  /** The key that made the claim, even if it was rotated since. */
  readonly root_key: string
}

export type ClaimEntity = Readonly<ReturnType<typeof claimsIn>[number]>

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

export type RevisionEntity = Readonly<ReturnType<typeof parts.revisionEntity>>

export type AnswerEntity = Readonly<ReturnType<typeof parts.answerEntity>>

export type WorkEntity = Readonly<ReturnType<typeof parts.workEntity>>

/** What a repo uses of a contract, and what it can live with. */
export type ExpectationEntity = Readonly<ReturnType<typeof parts.expectationEntity>>

/** The files that a repo implements a version with. */
export type TreeEntity = Readonly<ReturnType<typeof parts.treeEntity>>

export type MergedEntity = Readonly<ReturnType<typeof parts.mergedEntity>>

export type VerificationEntity = Readonly<ReturnType<typeof parts.verificationEntity>>

export type PacketEntity = Readonly<NonNullable<ReturnType<typeof foldPacket>>>

/** A receipt: this repo's agent has read a contract or packet in the state whose newest statement has the time `of`. */
export type Sighting = Readonly<ReturnType<typeof foldSightings>[number]>
