import type { z } from 'zod'
import { derivedUuid } from '../protocol/canonical.ts'
import type { Stamp } from '../protocol/stamp.ts'
import { baseOf, revisionId } from './contract.ts'
import type { Contract, ContractForm, Response, Revision, Shadow, Verification } from './model.ts'
import { readStatus, type StatusEdit } from './plain-status.ts'
import { readVerdict, readWork } from './plain-work.ts'
import { renderRevision } from './render.ts'
import type { WireContract } from './wire.ts'

type Given = z.infer<typeof WireContract>

export interface ContractReading {
  readonly local: Contract | undefined
  readonly shadow: Shadow | undefined
  /** Who is taken for the author of what the peer cannot sign. */
  readonly author: { readonly agentId: string; readonly repoId: string }
}

/**
 * A plain peer's contract as a cacpd would hand it over: what is known keeps the stamps it has here, and
 * what the peer really did since it was last seen becomes the response, the work or the verification it is.
 */
export function readContract(given: Given, { local, shadow, author }: ContractReading): object {
  const at = given.updated_at
  const before = formsIn(shadow)
  const { head, past } = readRevisions(given, local)
  const edit = head.isKnown
    ? readStatus({
        revision: head.revision,
        status: given.status,
        at,
        before: before.filter((form) => form.head === head.revision.id),
      })
    : undefined
  const seen = { local, revision: head.revision.id, status: given.status, at, before }
  const work = readWork(given.implementations, seen)
  const verdict = readVerdict(given.implementations, work, seen)
  const signed = { given, revision: head.revision, author }
  const { version: _v, content: _c, proposed_by: _p, ...about } = renderRevision(head.revision)
  return {
    ...given,
    head:
      edit?.base === undefined ? about : { ...about, base_status: edit.base.value, base_at: edit.base.at },
    history: past.map(renderRevision),
    implementations: work.map((one) => ({ ...one, reported_status: one.status })),
    past_implementations: [],
    responses: edit === undefined ? [] : [responseOf(edit, signed)],
    verifications: verdict === undefined ? [] : [verificationOf(verdict, at, signed)],
  }
}

export const formsIn = (shadow: Shadow | undefined): ContractForm[] =>
  [shadow?.shown, shadow?.sent].filter((form) => form?.kind === 'contract')

/** Versions below the head that the peer leaves out are there all the same. */
function readRevisions(given: Given, local: Contract | undefined) {
  const known = new Map(local?.revisions.map((revision) => [revision.id, revision]))
  const { version, content, proposed_by, updated_at, status } = given
  const last = { version, content, proposed_by, timestamp: updated_at, change_notes: null }
  const past: Revision[] = []
  let note = ''
  let before: Revision | undefined
  for (const one of [...given.history, last]) {
    const id = revisionId(one.version, one.proposed_by, one.content)
    const here = known.get(id)
    const base = { value: one === last ? baseOf(status) : ('negotiating' as const), at: one.timestamp }
    const revision: Revision = here ?? {
      id,
      version: one.version,
      content: one.content,
      proposed_by: one.proposed_by,
      parent: before?.id ?? null,
      resolves: [],
      change_notes: note,
      timestamp: one.timestamp,
      base,
    }
    // The reference files the note of a version together with the content that it replaces.
    note = one.change_notes ?? ''
    if (one !== last) past.push(revision)
    before = revision
  }
  const listed = new Set(past.map(({ id }) => id))
  const head = before as Revision
  for (const revision of known.values())
    if (revision.version < version && !listed.has(revision.id)) past.push(revision)
  return { head: { revision: head, isKnown: known.has(head.id) }, past }
}

interface Signed {
  readonly given: Given
  readonly revision: Revision
  readonly author: ContractReading['author']
}

/** Two daemons that see the same act of the peer make the same record of it. */
function responseOf({ action, at }: StatusEdit, { given, revision, author }: Signed): Response {
  const { contract_id, updated_at } = given
  return {
    response_id: derivedUuid('response', contract_id, revision.id, author.agentId, action, updated_at),
    revision: revision.id,
    version: revision.version,
    repo_id: author.repoId,
    agent_id: author.agentId,
    action,
    comment: '',
    suggested_change: null,
    timestamp: at,
  }
}

function verificationOf(
  { result, judged }: Pick<Verification, 'result' | 'judged'>,
  at: Stamp,
  { given, revision, author }: Signed,
): Verification {
  const { contract_id } = given
  return {
    verification_id: derivedUuid('verification', contract_id, revision.id, author.agentId, result, at),
    revision: revision.id,
    repo_id: author.repoId,
    agent_id: author.agentId,
    result,
    notes: '',
    failure_details: null,
    judged,
    timestamp: at,
  }
}
