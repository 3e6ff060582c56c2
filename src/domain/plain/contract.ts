import type { ContractForm, Shadow } from '../model.ts'
import { answer as answerKind } from '../statements/answer.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import type { ContractEntity } from '../views/entities.ts'
import { lastAnswer, readAnswer } from './answer.ts'
import type { GivenContract } from './given.ts'
import type { PlainPeerReporter } from './reporter.ts'
import { type PeerVersion, readVersions } from './versions.ts'
import { readVerdict, readWork, type Verdict } from './work-and-verification.ts'

export interface ContractInput {
  readonly local: ContractEntity | undefined
  readonly shadow: Shadow | undefined
  readonly reporter: PlainPeerReporter
  readonly parties: () => readonly string[]
}

/**
 * Reports what a plain peer changed in a contract since it was last received, for the peer's own repo: a version, an
 * answer, work or a verification.
 */
export function readContract(
  given: GivenContract,
  { local, shadow, reporter, parties }: ContractInput,
): void {
  const before = [shadow?.shown, shadow?.sent].filter(
    (form): form is ContractForm => form?.kind === 'contract',
  )
  const versions = readVersions({ given, local, reporter, parties })
  const head = versions.at(-1)
  if (head !== undefined) sayAnswers(given, head, { local, before, reporter })
  const seen = { given, local, versions, before, reporter }
  const done = readWork(seen)
  const verdict = readVerdict(
    seen,
    done.filter(({ revision }) => revision === head?.id),
  )
  if (verdict !== undefined && head !== undefined)
    sayVerdict(given, verdict, { local, reporter, revision: head.id })
}

function sayAnswers(
  { contract_id: about, status, updated_at: time }: GivenContract,
  { id, key, known }: PeerVersion,
  {
    local,
    before,
    reporter,
  }: { local: ContractEntity | undefined; before: readonly ContractForm[]; reporter: PlainPeerReporter },
): void {
  if (local === undefined || known === undefined) return
  const aboutSame = before.filter((form) => form.head === key)
  for (const repoId of reporter.repos) {
    const action = readAnswer({ local, revision: known, repoId, status, before: aboutSame })
    if (action === undefined) continue
    reporter.say(repoId, answerKind, {
      about,
      time,
      after: lastAnswer(local, id, repoId)?.timestamp,
      body: { revision: id, action },
      content: { comment: '', suggested_change: null },
    })
  }
}

/** It is dated after all known verifications, because the newest one counts. */
function sayVerdict(
  { contract_id: about, updated_at: time }: GivenContract,
  { result, judged }: Verdict,
  {
    local,
    reporter,
    revision,
  }: { local: ContractEntity | undefined; reporter: PlainPeerReporter; revision: string },
): void {
  const parties = local?.in_force?.revision.parties ?? []
  const repoId = reporter.repos.find((one) => parties.includes(one))
  if (repoId === undefined) return
  reporter.say(repoId, verificationKind, {
    about,
    time,
    after: local?.history.verifications.at(-1)?.timestamp,
    body: { revision, result, judged, blames: [] },
    content: { notes: '', failure_details: null },
  })
}
