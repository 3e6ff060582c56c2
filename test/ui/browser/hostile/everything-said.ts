import { repoIdOf } from '../../../../src/domain/statements/shared-fields.ts'
import type { Statement } from '../../../../src/domain/statements/statement.ts'
import { ContextType } from '../../../../src/protocol/words.ts'
import { nonceOf } from '../../../domain/statements/author.ts'
import { inSeconds } from '../../../hostile/invited.ts'
import { SigningAuthor } from '../../../support/desk/signing-author.ts'
import { HostileAuthor } from './hostile-author.ts'
import { cut } from './texts.ts'

/** Stands wherever the text will stand. */
const WORD = 'x'

/** What the fields of packets are called that screens know. */
const PACKET = {
  question: WORD,
  options: [WORD, WORD],
  context: WORD,
  decision: WORD,
  chosen: WORD,
  rationale: WORD,
  implications: [WORD],
  explanation: WORD,
  language: WORD,
  file: WORD,
  snippet: WORD,
  definitions: WORD,
  sha256: WORD,
  filename: WORD,
  media_type: WORD,
  status: WORD,
  description: WORD,
}
/** And those of contents, deep and in lists. */
const contentWith = (key: string) => ({
  method: WORD,
  path: WORD,
  response: { 200: { body: { [key]: WORD } } },
  list: [WORD, { [key]: [WORD] }],
})

export interface EverythingSaid {
  readonly statements: readonly Statement[]
  readonly projectId: string
  readonly contractId: string
  /** A packet that asks something. */
  readonly questionId: string
}

/** A statement of every kind and a packet of every type, by one author: a project in which another repo has much to answer. */
export function everythingSaidBy(eve: HostileAuthor, addressed: string): EverythingSaid {
  let second = -900
  const at = () => inSeconds(second++)
  const founding = eve.found(at(), { nonce: nonceOf(eve.text) })
  const { project_id: projectId } = founding
  const claim = eve.claim(projectId, WORD, at())
  const confirmation = eve.confirm(founding, claim, at())
  const titles = ['name', 'objective'].map((field) =>
    eve.under(founding, { kind: 'title', about: projectId, at: at(), body: { field, value: WORD } }),
  )
  const other = eve.nameRepo(founding, WORD, at())
  const parties = [claim.about, repoIdOf(projectId, addressed)]
  const content = contentWith(cut(eve.text, 300))
  const first = eve.propose(claim, at(), { parties, content, name: WORD })
  const changed = eve.revise(claim, first, { at: at(), content: { ...content, added: WORD } })
  const fork = eve.revise(claim, first, { at: at(), content: { ...content, other: [WORD] } })
  const dropped = eve.propose(claim, at(), { parties, nonce: nonceOf('dropped'), name: WORD })
  const packets = ContextType.options.map((type) => {
    const body = { type, related_contracts: [first.about], reply_to: null, nonce: nonceOf(type) }
    return eve.open(claim, { kind: 'packet', at: at(), body, content: PACKET })
  })
  const [packet = first] = packets
  const work = eve.work(claim, fork, { at: at(), status: 'complete' })
  const rival = new HostileAuthor(eve.text)
  const outdone = rival.claim(projectId, WORD, at())
  const settled = { repo: claim.about, holder: claim, ended: [[outdone, at()]], restored: [outdone] } as const
  const withFiles = { ...work.body, files: [WORD, WORD], estimated_files: [WORD] }
  return {
    projectId,
    contractId: first.about,
    questionId: packets.find(({ body }) => body['type'] === 'question')?.about ?? '',
    statements: [
      founding,
      claim,
      confirmation,
      ...titles,
      other,
      eve.describe(claim, at(), WORD),
      first,
      changed,
      fork,
      eve.answer(claim, fork, { at: at(), action: 'request_change' }),
      eve.answer(claim, changed, { at: at(), action: 'reject' }),
      eve.under(claim, {
        kind: 'work',
        about: first.about,
        at: at(),
        body: withFiles,
        content: { plan: WORD, notes: WORD, test_endpoint: null },
      }),
      eve.expect(claim, fork, { at: at(), uses: ['x'], sites: { x: WORD } }),
      eve.verify(claim, fork, {
        at: at(),
        result: 'failure',
        judged: [{ repo_id: claim.about, work: work.id }],
      }),
      ...packets,
      eve.see(claim, first.about, { at: at(), of: first.at, parts: 1 }),
      eve.redact(claim, packet, at()),
      dropped,
      eve.under(claim, {
        kind: 'withdrawal',
        about: dropped.about,
        at: at(),
        body: { revision: dropped.id },
      }),
      eve.under(claim, { kind: 'removal', about: other.about, at: at(), body: { naming: other.id } }),
      eve.stateTree(claim, fork, { at: at(), content: WORD }),
      eve.merge(claim, fork, { at: at(), commit: WORD }),
      outdone,
      rival.release(outdone, at()),
      eve.settle(founding, at(), settled),
      eve.rotate(claim, new SigningAuthor('eve'), { at: at() }),
    ],
  }
}
