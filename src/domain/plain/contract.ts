import type { ContractForm, Shadow } from '../model.ts'
import { answer as answerKind } from '../statements/answer.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import type { ContractEntity } from '../views/entities.ts'
import { lastAnswer, readAnswer } from './answer.ts'
import type { GivenContract } from './given.ts'
import { readVersions, type ShownVersion } from './versions.ts'
import type { PlainVoice } from './voice.ts'
import { readVerdict, readWork, type Verdict } from './work.ts'

export interface ContractSeen {
  readonly local: ContractEntity | undefined
  readonly shadow: Shadow | undefined
  readonly voice: PlainVoice
  readonly parties: () => readonly string[]
}

/** What a plain peer did to a contract since it was last seen, said for its own repo: a version, an answer, work, a verdict. */
export function readContract(given: GivenContract, { local, shadow, voice, parties }: ContractSeen): void {
  const before = [shadow?.shown, shadow?.sent].filter(
    (form): form is ContractForm => form?.kind === 'contract',
  )
  const versions = readVersions({ given, local, voice, parties })
  const head = versions.at(-1)
  if (head !== undefined) sayAnswers(given, head, { local, before, voice })
  const seen = { given, local, versions, before, voice }
  const done = readWork(seen)
  const verdict = readVerdict(
    seen,
    done.filter(({ revision }) => revision === head?.id),
  )
  if (verdict !== undefined && head !== undefined)
    sayVerdict(given, verdict, { local, voice, revision: head.id })
}

function sayAnswers(
  { contract_id: about, status, updated_at: time }: GivenContract,
  { id, key, known }: ShownVersion,
  {
    local,
    before,
    voice,
  }: { local: ContractEntity | undefined; before: readonly ContractForm[]; voice: PlainVoice },
): void {
  if (local === undefined || known === undefined) return
  const aboutSame = before.filter((form) => form.head === key)
  for (const repoId of voice.repos) {
    const action = readAnswer({ local, revision: known, repoId, status, before: aboutSame })
    if (action === undefined) continue
    voice.say(repoId, answerKind, {
      about,
      time,
      after: lastAnswer(local, id, repoId)?.timestamp,
      body: { revision: id, action },
      content: { comment: '', suggested_change: null },
    })
  }
}

/** A verdict counts where it is the newest one. */
function sayVerdict(
  { contract_id: about, updated_at: time }: GivenContract,
  { result, judged }: Verdict,
  { local, voice, revision }: { local: ContractEntity | undefined; voice: PlainVoice; revision: string },
): void {
  const parties = local?.in_force?.revision.parties ?? []
  const repoId = voice.repos.find((one) => parties.includes(one))
  if (repoId === undefined) return
  voice.say(repoId, verificationKind, {
    about,
    time,
    after: local?.history.verifications.at(-1)?.timestamp,
    body: { revision, result, judged, blames: [] },
    content: { notes: '', failure_details: null },
  })
}
