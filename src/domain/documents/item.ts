import type { JsonObject } from '../../protocol/json/json.ts'
import type { ContractType } from '../../protocol/words.ts'
import type { Interface } from '../interface/model.ts'
import type { InForce } from '../types/types.ts'

/** One operation, message or model of a document, as the content of a contract. */
export interface Item {
  /** What a contract of it is called: `GET /users/{id}`, `receive orders created`, `User`. */
  readonly name: string
  readonly type: ContractType
  readonly content: JsonObject
}

/** The file that content was imported from; for people and for this program alone, so that reviews do not see it. */
export const SOURCE = 'x-source'
/** Files beside a document, by their paths: what it refers to there. */
export const FILES = 'x-files'

/** Thrown where a document cannot be taken apart, with a sentence that says why. */
export class NotADocument extends Error {}

/** Contracts as one document. */
export interface Exported {
  readonly document: JsonObject
  /** Contracts that it does not have. */
  readonly left: readonly Left[]
}

export interface Left {
  readonly name: string
  readonly why: string
}

/** A contract that is of another form than a document. */
export const leftFor = ({ name }: InForce, { form }: Interface): Left => ({
  name,
  why: `it is ${form === 'opaque' ? 'not understood' : form}`,
})
