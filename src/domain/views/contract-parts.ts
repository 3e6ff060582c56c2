import { SIDES, TOLERANCES } from '../interface/model.ts'
import { evidenceIn, treesIn } from '../proof/evidence.ts'
import { ignoredIn } from '../proof/ignored-file.ts'
import { acceptanceIn, answer as answerKind } from '../statements/answer.ts'
import { expectation as expectationKind } from '../statements/expectation.ts'
import { bodyOf, contentOf, type Kind } from '../statements/kind.ts'
import { merged as mergedKind } from '../statements/merged.ts'
import { revision as revisionKind } from '../statements/revision.ts'
import type { Statement } from '../statements/statement.ts'
import { tree as treeKind } from '../statements/tree.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import { work as workKind } from '../statements/work.ts'
import { failuresOf, type VersionState, workStatus } from './agreement.ts'
import { byOf } from './by.ts'
import type { Redacted } from './entities.ts'
import type { Speakers } from './speakers.ts'

/** What the parts of a contract are built with. */
export interface ContractParts {
  readonly speakers: Speakers
  readonly redactedWith: (statementId: string) => Redacted | null
}

export function revisionEntity(state: VersionState, parts: ContractParts) {
  const { statement, version, parties, needed, isAgreed } = state
  const body = bodyOf(revisionKind, statement)
  const { redacted, content } = contentLeft(revisionKind, statement, parts)
  return {
    version,
    /** Null when it was redacted. */
    content: content?.value ?? null,
    note: content?.note ?? '',
    parent: body.parent,
    resolves: body.parent === null ? [] : (body.resolves ?? []),
    retire: body.parent !== null && body.retire === true,
    depends_on: body.depends_on ?? [],
    /** Repos that have to implement it. */
    parties,
    /** Repos that have to agree: its parties, and those of the revision that it changes. */
    needed,
    is_agreed: isAgreed,
    redacted,
    ...byOf(statement, parts.speakers),
  }
}

/** Redacted content is gone, even while it is still stored. */
function contentLeft<Content>(
  kind: Kind<unknown, Content>,
  statement: Statement,
  { redactedWith }: ContractParts,
) {
  const redacted = redactedWith(statement.id)
  return { redacted, content: redacted === null ? contentOf(kind, statement) : undefined }
}

export function answerEntity(statement: Statement, { version }: VersionState, parts: ContractParts) {
  const { revision, action } = bodyOf(answerKind, statement)
  const { redacted, content } = contentLeft(answerKind, statement, parts)
  return {
    revision,
    version,
    action,
    comment: content?.comment ?? '',
    suggested_change: content?.suggested_change ?? null,
    ...acceptanceIn(statement.body),
    redacted,
    ...byOf(statement, parts.speakers),
  }
}

export function workEntity(statement: Statement, state: VersionState, parts: ContractParts) {
  const { revision, status, started_at, files, estimated_files } = bodyOf(workKind, statement)
  const content = contentOf(workKind, statement)
  return {
    revision,
    /** As reported, or needs_revision after a failed verification. */
    status: workStatus(statement, state),
    plan: content?.plan ?? '',
    notes: content?.notes ?? '',
    files,
    estimated_files,
    test_endpoint: content?.test_endpoint ?? null,
    started_at,
    completed_at: status === 'complete' ? statement.at : null,
    /** Failed verifications of this very work, the newest of each party. */
    failures: failuresOf(statement, state).map((one) => verificationEntity(one, parts)),
    ...byOf(statement, parts.speakers),
  }
}

export function expectationEntity(statement: Statement, { speakers }: ContractParts) {
  const { revision, side, uses, tolerates, sites } = bodyOf(expectationKind, statement)
  return {
    revision,
    /** Null: as its role says. */
    side: SIDES.find((one) => one === side) ?? null,
    /** Places; null: all that is declared. */
    uses,
    tolerates: TOLERANCES.filter((one) => tolerates.includes(one)),
    /** By place, the file and line in which it is used. */
    sites: textsIn(sites),
    ...byOf(statement, speakers),
  }
}

export function treeEntity(statement: Statement, { speakers }: ContractParts) {
  const { revision, digest, hashes, moved } = bodyOf(treeKind, statement)
  const ignored = ignoredIn(statement.body)
  return { revision, digest, hashes, moved, ignored, ...byOf(statement, speakers) }
}

export function mergedEntity(statement: Statement, { speakers }: ContractParts) {
  const { revision, commit } = bodyOf(mergedKind, statement)
  return { revision, commit, ...byOf(statement, speakers) }
}

/** The schema does not look at a key `__proto__`, under which a statement may hold anything. */
const textsIn = (sites: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.hasOwn(sites, '__proto__')
    ? Object.fromEntries(Object.entries(sites).filter(([, site]) => typeof site === 'string'))
    : sites

export function verificationEntity(statement: Statement, parts: ContractParts) {
  const { revision, result, judged, blames } = bodyOf(verificationKind, statement)
  const { redacted, content } = contentLeft(verificationKind, statement, parts)
  return {
    revision,
    result,
    judged,
    blames,
    notes: content?.notes ?? '',
    failure_details: content?.failure_details ?? null,
    evidence: evidenceIn(content),
    /** By repo id, the digest of the files that it judged; missing where that repo's daemon had stated none. */
    trees: treesIn(statement.body),
    redacted,
    ...byOf(statement, parts.speakers),
  }
}
