import type { RegisteredAgent } from './adp/registered-agent.ts'
import type { Shown } from './delivery/receipt.ts'
import type { Acked, Answer, CurrentProject, LinkState, Naming, Peer, Shadow, Upload } from './model.ts'
import type { Unsigned } from './statements/say.ts'
import type { Statement } from './statements/statement.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken } from './trust/trust.ts'
import type { UsedToken } from './trust/used-token.ts'
import type { View } from './view.ts'

/**
 * What statements add up to; `receipt` is that somebody was shown a contract or packet of this id, and `other` what only
 * a newer daemon understands.
 */
export type EntityKind = 'project' | 'repo' | 'contract' | 'packet' | 'receipt' | 'other'

/** Names an entity. */
export interface EntityName {
  readonly kind: EntityKind
  readonly project_id: string
  readonly id: string
}

/** Names a statement. */
export interface StatementName {
  readonly project_id: string
  readonly id: string
}

/** An entity is another one since the statement that has this place in the order of its store. */
export interface Change extends EntityName {
  readonly seq: number
  /** Whether it changes who speaks for whom, and so perhaps everything in its project. */
  readonly isWide: boolean
}

/** What happened to a local matter: journaled like a Change, but without a seq and never replicated. */
export type LocalChange =
  | { readonly table: 'peer'; readonly id: string; readonly value: Peer | null }
  | { readonly table: 'link'; readonly id: string; readonly value: LinkState | null }
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
  | { readonly table: 'current'; readonly id: string; readonly value: CurrentProject | null }
  | { readonly table: 'answer'; readonly id: string; readonly value: Answer | null }

/** What a pure decision returns: the answer, and everything that has to be true when it is given. */
export type Decision<Result> = Effects & Answered<Result>

type Answered<Result> =
  | { readonly result: Result; readonly tell?: undefined }
  /** Where the answer depends on what the statements lead to: it is made of the state with them. */
  | { readonly tell: (view: View) => Result; readonly result?: undefined }

interface Effects {
  /** What this daemon said, and says again with another time. All of it goes before anything is said. */
  readonly drops?: readonly StatementName[]
  /** What this daemon says. It is signed before it is written. */
  readonly says?: readonly Unsigned[]
  /** What others said, admitted and with a signature that was checked. */
  readonly takes?: readonly Statement[]
  readonly local?: readonly LocalChange[]
  /** What is kept of the answer. */
  readonly keep?: (result: unknown) => readonly LocalChange[]
  /** What of the shared state is in the result. */
  readonly shows?: Shown
}

/** The same decision with another answer. */
export function mapResult<From, To>(decision: Decision<From>, map: (result: From) => To): Decision<To> {
  const { tell, result, ...effects } = decision
  return tell === undefined
    ? { ...effects, result: map(result as From) }
    : { ...effects, tell: (view) => map(tell(view)) }
}
