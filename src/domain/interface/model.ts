import type { Json } from '../../protocol/json/json.ts'
import type { GraphqlSchema } from './forms/graphql/schema.ts'
import type { ProtoSchema } from './forms/protobuf/schema.ts'
import type { Located } from './schema/source.ts'

/** What a contract means, as far as it is understood. Computed from `content`, never stored. */
export interface Interface {
  readonly form: Form
  /** What it was read from. */
  readonly content: Json
  /** Why nothing is understood; only of the opaque form. */
  readonly why?: string
  /** Nothing of it was looked at, so that it is equal to nothing. */
  readonly isUnread?: boolean
  /** What it took to read it. */
  readonly work: number
  /** Whether anything in it is for one direction alone (`readOnly`, `writeOnly`). */
  readonly tellsDirections: boolean
  readonly operations: readonly Operation[]
  readonly findings: readonly Finding[]
  /** Forms that go by rules of their own. */
  readonly graphql?: GraphqlSchema | undefined
  readonly protobuf?: ProtoSchema | undefined
}

export type Form = 'http' | 'rpc' | 'event' | 'model' | 'typescript' | 'graphql' | 'protobuf' | 'opaque'

/** What can be called, subscribed to or shared by itself. */
export interface Operation {
  /** By this the old and the new one are matched: `GET /users/{}`, `users.get`, `order.created`, `User`. */
  readonly key: string
  /** What a place in it begins with; empty where the contract is about one operation. */
  readonly prefix: string
  /** Who begins: an operation that is gone hurts consumers by what they send or by what they wait for. */
  readonly sender: Sender
  readonly slots: readonly Slot[]
  /** What is not understood in it: equal is no change, anything else is unsure. */
  readonly opaque: readonly OpaquePart[]
  /** The status of the good answer was not said, and 200 was taken. */
  readonly assumesStatus?: boolean | undefined
}

/** One place where a value crosses from one side to the other. */
export interface Slot {
  /** Such as `request.body`, `query.page`, `path.0`, `response.200.body`, `event.payload`, `model`. */
  readonly at: string
  readonly sender: Sender
  readonly required: boolean
  /** Null: that it is there is said, but not what it is. */
  readonly schema: Located | null
  /** What else is said of it and not understood, as text: a change of it leaves the verdict open. */
  readonly beside?: Readonly<Record<string, string>> | undefined
  /** Sent as text whatever its type is, as in a path or a query. */
  readonly isText?: boolean
  /** What stands for a choice of the sender, so that a new one hurts nobody: media types, ways to sign in. */
  readonly isChoice?: boolean
  /** Values that the contract gives beside the schema, by their names; no verdict depends on them. */
  readonly examples?: Readonly<Record<string, Json>> | undefined
  /** Nothing but a demand, so that nobody is hurt when it is gone. */
  readonly isBurden?: boolean
}

export interface OpaquePart {
  readonly at: string
  readonly sender: Sender
  readonly value: Json
}

export const SIDES = ['provider', 'consumer', 'both'] as const
/** Who sends something, or on which side of a contract a repo stands. */
export type Sender = (typeof SIDES)[number]
export type Verdict = 'compatible' | 'breaking' | 'unknown'
/** `depends`: on what a repo does, which it can say. `unsure`: nobody looked, or nobody can tell. */
export type Likely = 'no' | 'depends' | 'unsure' | 'yes'
export type Rollout = 'any' | 'provider_first' | 'consumers_first' | 'together'

export const TOLERANCES = ['new_enum_values', 'new_fields', 'null', 'missing_optional'] as const
export type Tolerance = (typeof TOLERANCES)[number]

/** A difference in meaning, before it is known where it stands and how it is told. */
export interface Difference {
  /** Where, from the place that was compared; empty: there. */
  readonly path: string
  readonly kind: string
  /** Whether some of what could be sent may not be sent any more. */
  readonly narrows: Likely
  /** Whether something may arrive that did not before, or may be missing that was there. */
  readonly widens: Likely
  /** What it was and what it is, in no words that could be reworded: a change is known by them. */
  readonly before?: Json | undefined
  readonly after?: Json | undefined
  /** How the sentence puts them, where it does not simply show them. */
  readonly beforeWords?: string | undefined
  readonly afterWords?: string | undefined
  /** Who says that it tolerates this is not hurt by the widening. */
  readonly tolerance?: Tolerance | undefined
}

export interface Change {
  readonly at: string
  readonly kind: string
  readonly sender: Sender
  readonly narrows: Likely
  readonly widens: Likely
  readonly before?: Json | undefined
  readonly after?: Json | undefined
  readonly tolerance?: Tolerance | undefined
  /** One plain sentence. */
  readonly say: string
  /** 12 hex of what it is, without the sentence: rewording voids no acceptance. */
  readonly fingerprint: string
}

/** What a repo says about its use of a contract. */
export interface Expectation {
  /** Places; null: all that is declared. */
  readonly uses: readonly string[] | null
  readonly tolerates: readonly Tolerance[]
  /** Keys of the operations that it uses; left out where that was not looked up. */
  readonly operations?: readonly string[]
  /** Whether `uses` has all that it sends; left out: where it names anything of that. */
  readonly tellsRequests?: boolean
}

export interface Judgement {
  readonly verdict: Verdict
  /** The changes that make the verdict. */
  readonly because: readonly Change[]
  /** What would have to be known: a few sentences on the changes that leave it open. */
  readonly missing: readonly string[]
}

export interface Finding {
  readonly rule: Rule
  readonly at: string
  /** What is the matter, and what to write instead. */
  readonly say: string
}

export const RULES = [
  'unreadable-type',
  'example-not-type',
  'nothing-required',
  'no-error-response',
  'response-without-schema',
  'path-parameter-undeclared',
  'example-does-not-fit',
  'integer-id-beyond-2^53',
  'time-without-format',
  'enum-without-values',
  'null-spelled-twice',
  'list-without-limit',
  'same-operation-twice',
  'secret-in-example',
] as const
export type Rule = (typeof RULES)[number]

/** How many changes a review tells, the worst first. */
export const MOST_CHANGES = 20
