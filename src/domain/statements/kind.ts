import type { z } from 'zod'
import type { PublicKey } from '../trust/trust.ts'
import type { Statement } from './statement.ts'

/** What an author may be for a kind: the key that founded the project, or one that claimed a repo of it. */
export type Voice = 'founder' | 'repo'

/** One kind of statement. Only facts can be cited: of registers all but the newest are forgotten. */
export interface Kind<Body = unknown, Content = unknown> {
  readonly name: string
  /** Facts are a set by id; of registers the newest is kept per author, entity and name. */
  readonly family: 'fact' | 'register'
  /** Loose: keys that this version does not know are kept and have no effect. */
  readonly body: z.ZodType<Body>
  readonly content?: z.ZodType<Content>
  /** Who may say it. None: it introduces the key that it is signed with. */
  readonly voices: readonly Voice[]
  /** Which of an author's registers this is, where it has several for one entity. */
  register?(body: Body): string
  /** Facts of the same project that have to be here before this can be judged. */
  cites?(body: Body): readonly Citation[]
  /** The key that it lets speak from now on. */
  introduces?(body: Body): PublicKey
  /** What is wrong with it, judged by itself and by what it cites: an answer that never changes. */
  problem?(said: Said<Body>): string | undefined
}

export interface Citation {
  readonly id: string
  readonly kinds: readonly string[]
  /** Whether that statement is about the same entity. */
  readonly isAboutSame: boolean
}

/** A statement with what it cites, all of which is admitted. */
export interface Said<Body> {
  readonly statement: Statement
  readonly body: Body
  /** In the order of `cites`. */
  readonly cited: readonly Statement[]
  /** The claim or founding that the author's key goes back to. */
  readonly root: Statement
  /** The statement which it speaks under; itself where it introduces its own key. */
  readonly under: Statement
  /** The same root for something that it cites. */
  readonly rootOf: (cited: Statement) => Statement
}

/** Keeps the types of the schemas; the table of all kinds forgets them. */
export const kind = <Body, Content = unknown>(row: Kind<Body, Content>): Kind<Body, Content> => row

/** The body of a statement of this kind: what is admitted was read by this schema, so that nothing is read twice. */
export function bodyOf<Body>(of: Kind<Body, unknown>, statement: Statement): Body {
  if (statement.kind !== of.name) throw new TypeError(`a ${statement.kind} is not a ${of.name}`)
  return statement.body as Body
}

/** Undefined when the content was taken away. */
export function contentOf<Content>(
  of: { readonly name: string; readonly content?: z.ZodType<Content> },
  statement: Statement,
): Content | undefined {
  if (statement.kind !== of.name) throw new TypeError(`a ${statement.kind} is not a ${of.name}`)
  return statement.content?.value as Content | undefined
}
