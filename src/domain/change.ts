import type {
  Acked,
  Answer,
  Contract,
  LinkState,
  Mark,
  Naming,
  Packet,
  Peer,
  Project,
  Receipt,
  Repo,
  Shadow,
  Upload,
} from './model.ts'
import type { Shown } from './receipt.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken } from './trust.ts'
import type { UsedToken } from './used-token.ts'

/** What happened to shared state: journal entry, replication unit and event are this same thing. */
export type Change =
  | { readonly kind: 'project'; readonly project_id: string; readonly id: string; readonly value: Project }
  | { readonly kind: 'repo'; readonly project_id: string; readonly id: string; readonly value: Repo }
  | { readonly kind: 'contract'; readonly project_id: string; readonly id: string; readonly value: Contract }
  | { readonly kind: 'packet'; readonly project_id: string; readonly id: string; readonly value: Packet }
  | { readonly kind: 'receipt'; readonly project_id: string; readonly id: string; readonly value: Receipt }

/** What the document knows of as well: all that a plain peer ever hears of. */
export type DocumentedChange = Exclude<Change, { kind: 'receipt' }>

/** What happened to a local matter: journaled like a Change, but without a seq and never replicated. */
export type LocalChange =
  | { readonly table: 'peer'; readonly id: string; readonly value: Peer | null }
  | { readonly table: 'link'; readonly id: string; readonly value: LinkState | null }
  | { readonly table: 'mark'; readonly id: string; readonly value: Mark | null }
  | { readonly table: 'shadow'; readonly id: string; readonly value: Shadow | null }
  | { readonly table: 'key'; readonly id: string; readonly value: ApiKey | null }
  | { readonly table: 'credential'; readonly id: string; readonly value: Credential | null }
  | { readonly table: 'invite'; readonly id: string; readonly value: Invite | null }
  | { readonly table: 'token'; readonly id: string; readonly value: IssuedToken | null }
  | { readonly table: 'guest'; readonly id: string; readonly value: Guest | null }
  | { readonly table: 'agent'; readonly id: string; readonly value: RegisteredAgent | null }
  | { readonly table: 'ack'; readonly id: string; readonly value: Acked | null }
  | { readonly table: 'used'; readonly id: string; readonly value: UsedToken | null }
  | { readonly table: 'upload'; readonly id: string; readonly value: Upload | null }
  | { readonly table: 'naming'; readonly id: string; readonly value: Naming | null }
  | { readonly table: 'answer'; readonly id: string; readonly value: Answer | null }

/** A peer between two of its starts. */
export interface Sender {
  readonly agentId: string
  readonly life: string
}

/** What a pure decision returns: the answer, and everything that has to be true when it is given. */
export interface Decision<Result> {
  readonly result: Result
  readonly changes?: readonly Change[]
  readonly local?: readonly LocalChange[]
  /** The changes join what two replicas hold, so they may be larger than what one of them writes. */
  readonly isMerge?: true
  /** What of the shared state is in the result. */
  readonly shows?: Shown
  /** Whoever sent just these values: it has them in this life of its, and need not be told. */
  readonly sentBy?: Sender
}

export const projectChange = (value: Project): Change => ({
  kind: 'project',
  project_id: value.project_id,
  id: value.project_id,
  value,
})

export const repoChange = (project_id: string, value: Repo): Change => ({
  kind: 'repo',
  project_id,
  id: value.repo_id,
  value,
})

export const contractChange = (project_id: string, value: Contract): Change => ({
  kind: 'contract',
  project_id,
  id: value.contract_id,
  value,
})

export const packetChange = (project_id: string, value: Packet): Change => ({
  kind: 'packet',
  project_id,
  id: value.packet_id,
  value,
})

export const receiptChange = (project_id: string, value: Receipt): Change => ({
  kind: 'receipt',
  project_id,
  id: value.repo_id,
  value,
})
