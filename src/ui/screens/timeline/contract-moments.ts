import { type Sentence, shortened } from '../../text/sentence.ts'
import { ANSWER_WORDS, CHECK_WORDS, type Said } from '../../text/words.ts'
import { isPersons } from '../contract/reading.ts'
import type { Contract, Moment } from './moment.ts'

/** Most characters of a comment in a sentence. */
const COMMENT = 160

/** What was said and done about a contract. */
export function momentsOfContract(contract: Contract, projectId: string): Moment[] {
  const { contract_id: contractId, name } = contract
  const version = new Map(revisionsOf(contract).map((one) => [one.revision, one.version]))
  const named: Sentence = [{ quoted: name }]
  const versionOf = (revision: string): Sentence => {
    const found = version.get(revision)
    return found === undefined || found === 1 ? named : [`version ${found} of `, ...named]
  }
  const told = (
    { by }: { readonly by: { readonly agent_id: string; readonly by_person?: unknown } },
    repoId: string,
    rest: Pick<Moment, 'key' | 'at' | 'kind' | 'icon' | 'tone' | 'sentence'>,
  ): Moment => ({
    projectId,
    about: { kind: 'contract', id: contractId },
    repoId,
    agentId: by.agent_id,
    isByPerson: isPersons(by),
    ...rest,
  })
  return [
    ...revisionsOf(contract).map((one) =>
      told(one, one.proposed_by, {
        key: one.revision,
        at: one.timestamp,
        kind: 'proposed',
        ...PROPOSED,
        sentence: [proposedAs(one), ...versionOf(one.revision), ...comment(one.change_notes)],
      }),
    ),
    ...contract.responses.map((one) =>
      told(one, one.repo_id, {
        key: one.response_id,
        at: one.timestamp,
        kind: 'answered',
        ...signOf(ANSWER_WORDS[one.action]),
        sentence: [ANSWERED[one.action], ...versionOf(one.revision), ...comment(one.comment)],
      }),
    ),
    ...[...contract.implementations, ...contract.past_implementations].flatMap((one) =>
      [
        { at: one.started_at, did: 'began to implement ', word: 'began' },
        { at: one.completed_at, did: 'completed its part of ', word: 'completed' },
      ].flatMap(({ at, did, word }) => {
        const key = `${contractId} ${one.repo_id} ${one.revision} ${word}`
        const sentence: Sentence = [did, ...versionOf(one.revision)]
        return at === null ? [] : [told(one, one.repo_id, { key, at, kind: 'built', ...BUILT, sentence })]
      }),
    ),
    ...contract.verifications.map((one) =>
      told(one, one.repo_id, {
        key: one.verification_id,
        at: one.timestamp,
        kind: 'verified',
        ...signOf(CHECK_WORDS[one.result]),
        sentence: [VERIFIED[one.result], ...versionOf(one.revision), ...comment(one.notes)],
      }),
    ),
  ]
}

const PROPOSED = { icon: 'contract', tone: 'busy' } as const
const BUILT = { icon: 'build', tone: 'good' } as const

const signOf = ({ icon, tone }: Said): Pick<Moment, 'icon' | 'tone'> => ({ icon, tone })

const ANSWERED = {
  agree: 'agreed to ',
  request_change: 'asked for a change of ',
  reject: 'rejected ',
} as const
const VERIFIED = {
  success: 'verified ',
  partial: 'verified a part of ',
  failure: 'found that this does not work: ',
} as const

type Revision = Pick<
  NonNullable<Contract['history']>[number],
  'version' | 'revision' | 'proposed_by' | 'timestamp' | 'change_notes' | 'resolves' | 'by'
> & { readonly retire?: boolean | undefined }

/** All versions, each once. What contradicts the newest one is also in the history. */
function revisionsOf({ head, version, proposed_by, history = [], conflicts }: Contract): Revision[] {
  const all = [{ ...head, version, proposed_by }, ...history, ...conflicts]
  return [...new Map(all.map((one) => [one.revision, one])).values()]
}

function proposedAs({ retire, resolves }: Revision): string {
  if (retire === true) return 'proposed to end '
  return resolves.length > 0 ? 'settled a conflict by ' : 'proposed '
}

const comment = (text: string): Sentence => {
  const line = text.trim()
  return line === '' ? [] : [': ', { quoted: shortened(line, COMMENT) }]
}
