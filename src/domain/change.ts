import type { RegisteredAgent } from './adp/registered-agent.ts'
import type { Shown } from './delivery/receipt.ts'
import type { HubRecord } from './hub/record.ts'
import type { Acked, Answer, CurrentProject, LinkState, Naming, Peer, Shadow, Upload } from './model.ts'
import type { Unsigned } from './statements/say.ts'
import type { Statement } from './statements/statement.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken, UiSession } from './trust/trust.ts'
import type { UsedToken } from './trust/used-token.ts'
import type { View } from './view.ts'

/**
 * What a statement is about. `receipt` stands for the receipts about the contract or packet of this id, `other` for
 * statements that only a newer daemon understands.
 */
export type EntityKind = 'project' | 'repo' | 'contract' | 'packet' | 'receipt' | 'other'

export interface EntityName {
  readonly kind: EntityKind
  readonly project_id: string
  readonly id: string
}

export type StatementName = Omit<EntityName, 'kind'>

/** The entity changed with the statement that has this number in the order of the store. */
export interface Change extends EntityName {
  readonly seq: number
  /** Whether the statement changes who speaks for which repo, and so possibly every entity of its project. */
  readonly isWide: boolean
}

/** A change of a local record: journaled like a Change, but without a seq and never replicated. */
export type LocalChange =
  | { readonly table: 'peer'; readonly id: string; readonly value: Peer | null }
  | { readonly table: 'link'; readonly id: string; readonly value: LinkState | null }
  | { readonly table: 'hub'; readonly id: string; readonly value: HubRecord | null }
  | { readonly table: 'shadow'; readonly id: string; readonly value: Shadow | null }
  | { readonly table: 'key'; readonly id: string; readonly value: ApiKey | null }
  | { readonly table: 'credential'; readonly id: string; readonly value: Credential | null }
  | { readonly table: 'invite'; readonly id: string; readonly value: Invite | null }
  | { readonly table: 'token'; readonly id: string; readonly value: IssuedToken | null }
  | { readonly table: 'session'; readonly id: string; readonly value: UiSession | null }
  | { readonly table: 'guest'; readonly id: string; readonly value: Guest | null }
  | { readonly table: 'agent'; readonly id: string; readonly value: RegisteredAgent | null }
  | { readonly table: 'ack'; readonly id: string; readonly value: Acked | null }
  | { readonly table: 'used'; readonly id: string; readonly value: UsedToken | null }
  | { readonly table: 'upload'; readonly id: string; readonly value: Upload | null }
  | { readonly table: 'naming'; readonly id: string; readonly value: Naming | null }
  | { readonly table: 'current'; readonly id: string; readonly value: CurrentProject | null }
  | { readonly table: 'answer'; readonly id: string; readonly value: Answer | null }

/** What a pure decision returns: the answer, and everything that must be durable before the answer is given. */
export type Decision<Result> = Effects & Answered<Result>

type Answered<Result> =
  | { readonly result: Result; readonly tell?: undefined }
  /** For an answer that depends on the new statements: it is computed from the state that includes them. */
  | { readonly tell: (view: View) => Result; readonly result?: undefined }

interface Effects {
  /** Own statements that are made again with another time; they are removed before `says` is applied. */
  readonly drops?: readonly StatementName[]
  /** New statements by this daemon, still to be signed. */
  readonly says?: readonly Unsigned[]
  /** Statements by others that were admitted and whose signature was verified. */
  readonly takes?: readonly Statement[]
  readonly local?: readonly LocalChange[]
  /** Local changes that record the answer, made when it is known. */
  readonly keep?: (result: unknown) => readonly LocalChange[]
  /** Which contracts and packets the result contains. */
  readonly shows?: Shown
}

/** The same decision with its answer mapped. */
export function mapResult<From, To>(decision: Decision<From>, map: (result: From) => To): Decision<To> {
  const { tell, result, ...effects } = decision
  return tell === undefined
    ? { ...effects, result: map(result as From) }
    : { ...effects, tell: (view) => map(tell(view)) }
}
