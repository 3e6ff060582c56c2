import type { IconName } from '../frame/icon-paths.ts'

/** The words of the protocol as people read them. */

export const TYPE_WORDS: Readonly<Record<string, string>> = {
  api_endpoint: 'API endpoint',
  event_schema: 'event schema',
  data_model: 'data model',
  config_spec: 'configuration',
  rpc_interface: 'RPC interface',
  custom: 'custom',
}

/** The way of a contract, in order. */
export const STATUSES = ['proposed', 'negotiating', 'agreed', 'implemented', 'verified'] as const
export type Status = (typeof STATUSES)[number]

/** How serious a state is, which gives it its colour. A word and a sign always say it, too. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'calm' | 'violet'

export interface Said {
  readonly word: string
  readonly icon: IconName
  readonly tone: Tone
}

export const STATUS_WORDS: Readonly<Record<Status, Said>> = {
  proposed: { word: 'proposed', icon: 'dot', tone: 'busy' },
  negotiating: { word: 'negotiating', icon: 'change', tone: 'warn' },
  agreed: { word: 'agreed', icon: 'check', tone: 'good' },
  implemented: { word: 'implemented', icon: 'build', tone: 'good' },
  verified: { word: 'verified', icon: 'flask', tone: 'good' },
}

/** What a party said to a version. */
export const ANSWER_WORDS: Readonly<
  Record<'proposed' | 'agree' | 'request_change' | 'reject' | 'silent', Said>
> = {
  proposed: { word: 'proposed it', icon: 'contract', tone: 'calm' },
  agree: { word: 'agreed', icon: 'check', tone: 'good' },
  request_change: { word: 'wants a change', icon: 'change', tone: 'warn' },
  reject: { word: 'rejected', icon: 'cross', tone: 'bad' },
  silent: { word: 'no answer yet', icon: 'dot', tone: 'calm' },
}

export const VERDICT_WORDS: Readonly<Record<'compatible' | 'breaking' | 'unknown', Said>> = {
  compatible: { word: 'compatible', icon: 'check', tone: 'good' },
  breaking: { word: 'breaking', icon: 'warning', tone: 'bad' },
  unknown: { word: 'not known', icon: 'question', tone: 'warn' },
}

/** Whether a repository may merge its part. */
export const GATE_WORDS: Readonly<Record<'yes' | 'no' | 'unknown', Said>> = {
  yes: { word: 'may merge', icon: 'check', tone: 'good' },
  no: { word: 'must not merge', icon: 'cross', tone: 'bad' },
  unknown: VERDICT_WORDS.unknown,
}

export const ROLLOUT_WORDS: Readonly<
  Record<'any' | 'provider_first' | 'consumers_first' | 'together', string>
> = {
  any: 'in any order',
  provider_first: 'the provider goes first',
  consumers_first: 'the consumers go first',
  together: 'all have to change together',
}

export const DELIVERY_WORDS: Readonly<Record<'stored' | 'replicated' | 'seen', Said>> = {
  stored: { word: 'on disk here only', icon: 'clock', tone: 'warn' },
  replicated: { word: 'arrived', icon: 'arrow', tone: 'busy' },
  seen: { word: 'seen by its agent', icon: 'check', tone: 'good' },
}

export const WORK_WORDS: Readonly<Record<'pending' | 'in_progress' | 'complete' | 'needs_revision', Said>> = {
  pending: { word: 'not begun', icon: 'dot', tone: 'calm' },
  in_progress: { word: 'in progress', icon: 'build', tone: 'busy' },
  complete: { word: 'complete', icon: 'check', tone: 'good' },
  needs_revision: { word: 'needs another look', icon: 'warning', tone: 'bad' },
}

export const CHECK_WORDS: Readonly<Record<'success' | 'partial' | 'failure', Said>> = {
  success: { word: 'it works', icon: 'check', tone: 'good' },
  partial: { word: 'works in part', icon: 'warning', tone: 'warn' },
  failure: { word: 'does not work', icon: 'cross', tone: 'bad' },
}
