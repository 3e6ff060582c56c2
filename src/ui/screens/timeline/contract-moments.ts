import type { Sentence } from '../../text/sentence.ts'
import { ANSWER_WORDS, CHECK_WORDS, type Said } from '../../text/words.ts'
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
  const about = { projectId, about: { kind: 'contract', id: contractId } } as const
  return [
    ...revisionsOf(contract).map((one) => ({
      ...about,
      ...said(one, one.proposed_by, one.timestamp),
      key: one.revision,
      kind: 'proposed' as const,
      ...PROPOSED,
      sentence: [proposedAs(one), ...versionOf(one.revision), ...comment(one.change_notes)],
    })),
    ...contract.responses.map((one) => ({
      ...about,
      ...said(one, one.repo_id, one.timestamp),
      key: one.response_id,
      kind: 'answered' as const,
      ...signOf(ANSWER_WORDS[one.action]),
      sentence: [ANSWERED[one.action], ...versionOf(one.revision), ...comment(one.comment)],
    })),
    ...[...contract.implementations, ...contract.past_implementations].flatMap((one) =>
      [
        { at: one.started_at, did: 'began to implement ', word: 'began' },
        { at: one.completed_at, did: 'completed its part of ', word: 'completed' },
      ].flatMap(({ at, did, word }) =>
        at === null
          ? []
          : [
              {
                ...about,
                ...said(one, one.repo_id, at),
                key: `${contractId} ${one.repo_id} ${one.revision} ${word}`,
                kind: 'built' as const,
                icon: 'build' as const,
                tone: 'good' as const,
                sentence: [did, ...versionOf(one.revision)],
              },
            ],
      ),
    ),
    ...contract.verifications.map((one) => ({
      ...about,
      ...said(one, one.repo_id, one.timestamp),
      key: one.verification_id,
      kind: 'verified' as const,
      ...signOf(CHECK_WORDS[one.result]),
      sentence: [VERIFIED[one.result], ...versionOf(one.revision), ...comment(one.notes)],
    })),
  ]
}

const PROPOSED = { icon: 'contract', tone: 'busy' } as const

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
  if (line === '') return []
  return [': ', { quoted: line.length > COMMENT ? `${line.slice(0, COMMENT - 1).toWellFormed()}…` : line }]
}

const said = (
  { by }: { readonly by: { readonly agent_id: string; readonly by_person?: unknown } },
  repoId: string,
  at: string,
): Pick<Moment, 'repoId' | 'agentId' | 'isByPerson' | 'at'> => ({
  repoId,
  agentId: by.agent_id,
  isByPerson: by.by_person !== undefined && by.by_person !== false,
  at,
})
