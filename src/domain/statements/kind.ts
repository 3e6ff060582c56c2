import type * as z from 'zod'
import type { PublicKey } from '../trust/trust.ts'
import type { Statement } from './statement.ts'

/** Who may make statements of a kind: the founder of the project, or an agent that claimed a repo. */
export type AuthorRole = 'founder' | 'repo'

/** One kind of statement. Only facts can be cited: of a register only the newest statement is kept. */
export interface Kind<Body = unknown, Content = unknown> {
  readonly name: string
  /** Facts are kept by id; of a register only the newest is kept per author, entity and name. */
  readonly family: 'fact' | 'register'
  /** Loose: keys that this version does not know are kept and have no effect. */
  readonly body: z.ZodType<Body>
  readonly content?: z.ZodType<Content>
  /** Who may make it. Empty: the statement introduces the key that signs it. */
  readonly madeBy: readonly AuthorRole[]
  /** The name of the register, if an author has several for one entity; a kind that came later has it in its body. */
  register?(body: Body): string
  /** Facts of the same project that must be admitted before this statement can be judged. */
  cites?(body: Body): readonly Citation[]
  /** The key that may speak from now on. */
  introduces?(body: Body): PublicKey
  /** What is wrong with it, judged by itself and by what it cites, so that the answer never changes. */
  problem?(said: StatementInContext<Body>): string | undefined
}

export interface Citation {
  readonly id: string
  readonly kinds: readonly string[]
  /** Whether the cited statement must be about the same entity. */
  readonly isAboutSame: boolean
}

/** A statement with the statements that it cites, all of them admitted. */
export interface StatementInContext<Body> {
  readonly statement: Statement
  readonly body: Body
  /** In the order of `cites`. */
  readonly cited: readonly Statement[]
  /** The claim or founding from which the author's key descends. */
  readonly root: Statement
  /** The introduction that it is made under; itself if it introduces its own key. */
  readonly under: Statement
  /** The root of a cited statement. */
  readonly rootOf: (cited: Statement) => Statement
}

/** Keeps the types of the schemas, which the table of all kinds loses. */
export const kind = <Body, Content = unknown>(row: Kind<Body, Content>): Kind<Body, Content> => row

/** The body of a statement of this kind, which was parsed with the schema when the statement was admitted. */
export function bodyOf<Body>(of: Kind<Body, unknown>, statement: Statement): Body {
  if (statement.kind !== of.name) throw new TypeError(`a ${statement.kind} is not a ${of.name}`)
  return statement.body as Body
}

/** Undefined when the content was redacted. */
export function contentOf<Content>(
  of: { readonly name: string; readonly content?: z.ZodType<Content> },
  statement: Statement,
): Content | undefined {
  if (statement.kind !== of.name) throw new TypeError(`a ${statement.kind} is not a ${of.name}`)
  return statement.content?.value as Content | undefined
}
