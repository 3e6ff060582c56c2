import type { ResultOf } from '../../../methods/table.ts'
import type { IconName } from '../../frame/icon-paths.ts'
import type { Sentence } from '../../text/sentence.ts'
import type { Tone } from '../../text/words.ts'

/** One thing that somebody did, as the timeline tells it. The sentence goes on after the name of who did it. */
export interface Moment {
  /** The same for the same moment, however often it is read. */
  readonly key: string
  readonly at: string
  readonly kind: MomentKind
  readonly projectId: string
  /** The repository that did it; null where none did. */
  readonly repoId: string | null
  readonly agentId: string | null
  readonly isByPerson: boolean
  readonly sentence: Sentence
  readonly icon: IconName
  readonly tone: Tone
  /** What it is about, with a page of its own; null where there is none. */
  readonly about: { readonly kind: 'contract' | 'packet'; readonly id: string } | null
}

export const MOMENT_KINDS = {
  proposed: 'Proposals',
  answered: 'Answers',
  built: 'Implementations',
  verified: 'Verifications',
  asked: 'Questions',
  decided: 'Decisions',
  said: 'Messages and context',
  joined: 'Projects and members',
} as const
export type MomentKind = keyof typeof MOMENT_KINDS

export type Contract = ResultOf<'cacp/contract/get'>
export type Packet = ResultOf<'cacp/context/list'>['packets'][number]
