import { answer as answerKind } from '../statements/answer.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import { lastAnswer, readAnswer } from './answer.ts'
import { type PeerVersion, type ReceivedContract, readVersions } from './versions.ts'
import { readVerdict, readWork, type Verdict } from './work-and-verification.ts'

/** Reports what a plain peer's own repo did about a contract: a version, an answer, work or a verification. */
export function readContract(received: ReceivedContract): void {
  const versions = readVersions(received)
  const head = versions.at(-1)
  if (head !== undefined) sayAnswers(received, head)
  const seen = { ...received, versions }
  const done = readWork(seen)
  const verdict = readVerdict(
    seen,
    done.filter(({ revision }) => revision === head?.id),
  )
  if (verdict !== undefined && head !== undefined) sayVerdict(received, verdict, head.id)
}

function sayAnswers(received: ReceivedContract, { id, key, known }: PeerVersion): void {
  const { local, reporter } = received
  const { contract_id: about, updated_at: time, status } = received.given
  if (local === undefined || known === undefined) return
  const before = received.before.filter((form) => form.head === key)
  for (const repoId of reporter.repos()) {
    const action = readAnswer({ local, revision: known, repoId, status, before })
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
function sayVerdict({ given, local, reporter }: ReceivedContract, verdict: Verdict, revision: string): void {
  const parties = local?.in_force?.revision.parties ?? []
  const repoId = reporter.repos().find((one) => parties.includes(one))
  if (repoId === undefined) return
  reporter.say(repoId, verificationKind, {
    about: given.contract_id,
    time: given.updated_at,
    after: local?.history.verifications.at(-1)?.timestamp,
    body: { revision, ...verdict, blames: [] },
    content: { notes: '', failure_details: null },
  })
}
