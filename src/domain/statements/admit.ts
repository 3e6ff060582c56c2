import { isAny } from '../../protocol/collections/iterables.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import { keyIdOf } from '../trust/key-id.ts'
import type { PublicKey } from '../trust/trust.ts'
import type { AuthorRole, Citation, Kind } from './kind.ts'
import { KINDS, saysItsFamily } from './kinds.ts'
import { redaction } from './redaction.ts'
import { familyProblemIn } from './register-name.ts'
import { describeIssue, hasLostContent, type Statement } from './statement.ts'

/**
 * Whether a statement is admitted, judged by itself and by the statements that it cites. Once it is `admitted` or
 * `refused`, nothing that arrives later changes that; whether an admitted statement has an effect is decided by the
 * views.
 */
export type Verdict =
  /** On condition that this key signed it. */
  | { readonly outcome: 'admitted'; readonly signer: PublicKey }
  /** To be judged again when the statement of this id arrives. */
  | { readonly outcome: 'waits'; readonly for: string }
  | { readonly outcome: 'refused'; readonly reason: string; readonly isRetryable: boolean }

/** The statements admitted so far. */
export interface Admitted {
  /** Only facts: a register may have been replaced by a newer statement. */
  fact(id: string): Statement | undefined
  /** The statement that founded the project, and from which its id comes. */
  founding(projectId: string): Statement | undefined
  /** Redactions of this statement, also those that wait for it; their signatures were verified. */
  redactionsOf(id: string): Iterable<Statement>
}

export function admit(statement: Statement, admitted: Admitted, now: Stamp): Verdict {
  try {
    return judge(statement, admitted, now)
  } catch (thrown) {
    if (thrown instanceof NotAdmitted) return thrown.verdict
    throw thrown
  }
}

function judge(statement: Statement, admitted: Admitted, now: Stamp): Verdict {
  const { kind, body, at, key } = statement
  if (at > addMicros(now, LIMITS.clockAheadSeconds * 1_000_000))
    throw refusal(`at is more than ${LIMITS.clockAheadSeconds / 60} minutes ahead of this clock`, true)
  const row = KINDS.get(kind)
  const problem = saysItsFamily(statement) ? familyProblemIn(body, row) : undefined
  if (problem !== undefined) throw refusal(problem)
  if (row !== undefined) checkForm(statement, row)
  const own = isOpening(row) ? row.introduces?.(body) : undefined
  if (own === undefined && statement.under === undefined) throw refusal('under is missing')
  if (own !== undefined && statement.under !== undefined) throw refusal('under has no place in this kind')
  if (kind !== 'project' && admitted.founding(statement.project_id) === undefined)
    throw waiting(statement.project_id)
  const under = own === undefined ? cited(statement, underOf(statement), admitted) : statement
  const signer = own ?? introducedBy(under)
  if (keyIdOf(signer) !== key) throw refusal('key is not the one that it speaks under')
  const root = rootOf(under, admitted)
  if (row !== undefined) checkMeaning(statement, { row, under, root, admitted })
  if (hasLostContent(statement) && !isRedacted(statement, root, admitted)) throw waiting(statement.id)
  return { outcome: 'admitted', signer }
}

/** A kind that opens a project or a claim with its own key, and so cites no introduction. */
const isOpening = (row: Kind | undefined): row is Kind => row !== undefined && row.madeBy.length === 0

function checkForm({ body, content }: Statement, row: Kind): void {
  const read = row.body.safeParse(body)
  if (!read.success) throw refusal(`body.${describeIssue(read.error)}`)
  if (content === undefined) return
  if (row.content === undefined) throw refusal('content has no place in this kind')
  const inner = row.content.safeParse(content.value)
  if (!inner.success) throw refusal(`content.${describeIssue(inner.error)}`)
}

interface Meaning {
  row: Kind
  under: Statement
  root: Statement
  admitted: Admitted
}

function checkMeaning(statement: Statement, { row, under, root, admitted }: Meaning): void {
  const { body } = statement
  const voice: AuthorRole = root.kind === 'project' ? 'founder' : 'repo'
  if (row.madeBy.length > 0 && !row.madeBy.includes(voice))
    throw refusal(
      voice === 'founder' ? 'is for those who claimed a repo' : 'is for the founder of the project',
    )
  const found = (row.cites?.(body) ?? []).map((citation) => cited(statement, citation, admitted))
  const context = { statement, body, cited: found, root, under }
  const problem = row.problem?.({ ...context, rootOf: (one) => rootOf(one, admitted) })
  if (problem !== undefined) throw refusal(problem)
}

const underOf = ({ under }: Statement): Citation => ({
  id: under ?? '',
  kinds: ['project', 'claim', 'rotation'],
  isAboutSame: false,
})

function cited(by: Statement, { id, kinds, isAboutSame }: Citation, admitted: Admitted): Statement {
  const found = admitted.fact(id)
  if (found === undefined) throw waiting(id)
  if (found.project_id !== by.project_id) throw refusal('cites a statement of another project')
  if (!kinds.includes(found.kind))
    throw refusal(`cites a ${found.kind} in the place of a ${kinds.join(' or ')}`)
  if (isAboutSame && found.about !== by.about) throw refusal(`cites a ${found.kind} about something else`)
  return found
}

function introducedBy(introduction: Statement): PublicKey {
  const key = KINDS.get(introduction.kind)?.introduces?.(introduction.body)
  if (key === undefined) throw new TypeError(`a ${introduction.kind} introduces no key`)
  return key
}

/** The claim or founding from which a statement's key descends, through the rotations between. */
export function rootOf(statement: Statement, admitted: Pick<Admitted, 'fact'>): Statement {
  let one = statement
  while (one.under !== undefined) {
    const next = admitted.fact(one.under)
    if (next === undefined) throw waiting(one.under)
    one = next
  }
  return one
}

/** A statement may lack its content only if its author redacted it. */
const isRedacted = ({ id }: Statement, root: Statement, admitted: Admitted): boolean =>
  isAny(
    admitted.redactionsOf(id),
    (one) => one.kind === redaction.name && one.body['of'] === id && rootOf(one, admitted).id === root.id,
  )

/**
 * Thrown, and no Error: nobody asks where that was, and finding it out for each of many that are refused or wait would
 * take longer than all the rest of judging them.
 */
class NotAdmitted {
  readonly verdict: Verdict
  constructor(verdict: Verdict) {
    this.verdict = verdict
  }
}

const waiting = (id: string): NotAdmitted => new NotAdmitted({ outcome: 'waits', for: id })

const refusal = (reason: string, isRetryable = false): NotAdmitted =>
  new NotAdmitted({ outcome: 'refused', reason, isRetryable })
