import * as z from 'zod'
import { canonicalText, compareText, hashOf } from '../../protocol/json/canonical.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { FreeObject, findUnstorable, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { isStamp, parseStamp, type Stamp } from '../../protocol/stamp.ts'
import { Id, Sha256 } from '../../protocol/words.ts'

/**
 * A signed statement of one repository: the unit of every write, of the journal and of replication. It is immutable
 * and cites others by id. Statements form no chain, so that a daemon restored from a backup cannot fork anything.
 */
export interface Statement {
  /** Hash of the fields below except `sig`, with the content replaced by its own hash. */
  readonly id: string
  readonly project_id: string
  readonly kind: string
  /** The entity that it is about: a contract, packet, repo or the project. */
  readonly about: string
  /** The statement that introduced the key that signs this one. Missing if it introduces its own key. */
  readonly under?: string
  readonly at: Stamp
  readonly body: JsonObject
  /** The large or sensitive part. Hashed with a salt, so that it can be removed and the rest can still be verified. */
  readonly content?: SaltedContent
  /** Hash of a removed content. */
  readonly content_hash?: string
  /** Thumbprint of the key that signed it. */
  readonly key: string
  /** Ed25519 over `signedText(id)`, in base64url. */
  readonly sig: string
}

interface SaltedContent {
  readonly salt: string
  readonly value: JsonObject
}

export const STATEMENT_LIMITS = {
  /** Characters of the whole text: content, body and the other fields. */
  textLength: LIMITS.contentLength + 144 * 1024,
  /** The content of a contract or packet, with the other fields of the statement's content. */
  contentLength: LIMITS.contentLength + 64 * 1024,
  bodyLength: 64 * 1024,
  /** The depth of a call's params, plus the levels around it: statement, content, value and one more. */
  depth: LIMITS.depth + 4,
} as const

/** 16 random bytes in base64url, so that nobody can guess a removed content from its hash. */
const Salt = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'must be 16 bytes in base64url')
export const Signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/, 'must be an Ed25519 signature in base64url')
const Thumbprint = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be the thumbprint of a key')
export const StatementId = Sha256
export const StampText = z.custom<Stamp>(
  (value) => typeof value === 'string' && (isStamp(value) || parseStamp(value) === value) && value >= '1970',
  'must be a UTC time with microseconds and Z, of 1970 or later',
)

const Envelope = z.looseObject({
  id: StatementId,
  project_id: Id,
  kind: z.string().regex(/^[a-z_]{1,40}$/, 'must be 1 to 40 of the characters a-z and _'),
  about: Id,
  under: StatementId.optional(),
  at: StampText,
  body: FreeObject,
  content: z.strictObject({ salt: Salt, value: FreeObject }).optional(),
  content_hash: Sha256.optional(),
  key: Thumbprint,
  sig: Signature,
})

export function idOf({ content, ...said }: Omit<Statement, 'id' | 'sig'>): string {
  if (content === undefined) return hashOf(said)
  // Keeps the keys in canonical order, so that they need not be sorted again.
  const { about, at, body, ...rest } = said
  return hashOf({ about, at, body, content_hash: contentHash(content), ...rest })
}

export const contentHash = ({ salt, value }: SaltedContent): string => hashOf([salt, value])

export const signedText = (id: string): string => `cacpd-statement-1\n${id}`

/** The only text of a statement: as it is signed, journaled, sent and compared. */
export const textOf = (statement: Statement): string => canonicalText(statement)

/** The statement without its content, which still has the same id and signature. */
export function withoutContent({ content, ...rest }: Statement): Statement {
  return content === undefined ? rest : { ...rest, content_hash: contentHash(content) }
}

export const hasLostContent = ({ content_hash }: Statement): boolean => content_hash !== undefined

/** Which of two statements comes first: by time, then by id, so that every replica decides alike. */
export const byTime = (a: Statement, b: Statement): number =>
  compareText(a.at, b.at) || compareText(a.id, b.id)

export const newestOf = <S extends Statement>(statements: Iterable<S>): S | undefined => {
  let newest: S | undefined
  for (const one of statements) if (newest === undefined || byTime(newest, one) < 0) newest = one
  return newest
}

type Read = { readonly statement: Statement } | { readonly refused: string }

/** Parses a statement and checks what can be checked without other statements. Its kind checks the body later. */
export function readStatement(text: string): Read {
  if (text.length > STATEMENT_LIMITS.textLength)
    return { refused: `is longer than ${STATEMENT_LIMITS.textLength} characters` }
  const value = jsonIn(text)
  if (value === undefined) return { refused: 'is not JSON' }
  const unstorable = findUnstorable(value, { depth: STATEMENT_LIMITS.depth })
  if (unstorable !== undefined) return { refused: unstorable }
  const read = Envelope.safeParse(value)
  if (!read.success) return { refused: describeIssue(read.error) }
  const statement = value as Statement
  const problem = problemIn(statement, text)
  return problem === undefined ? { statement } : { refused: problem }
}

function problemIn(statement: Statement, text: string): string | undefined {
  const { id, sig, ...said } = statement
  if (canonicalText(statement) !== text) return 'is not written in canonical form'
  if (statement.content !== undefined && statement.content_hash !== undefined)
    return 'has a content and also the hash of one'
  const { body, content } = statement
  const mayExceed = text.length > SHORTEST_EXCESS
  const excess = mayExceed
    ? excessIn(canonicalText(body), content && canonicalText(content.value))
    : undefined
  if (excess !== undefined) return excess
  return idOf(said) === id ? undefined : 'id is not the hash of what it says'
}

/** In a shorter text no part can be too long. */
const SHORTEST_EXCESS = Math.min(STATEMENT_LIMITS.bodyLength, STATEMENT_LIMITS.contentLength)

/** Which part of a statement is longer than other daemons accept. */
export function excessIn(body: string, content = ''): string | undefined {
  const { bodyLength, contentLength } = STATEMENT_LIMITS
  if (body.length > bodyLength) return `body is longer than ${bodyLength} characters`
  if (content.length > contentLength) return `content is longer than ${contentLength} characters`
  return undefined
}

/** The first problem, with its field. */
export const describeIssue = ({ issues }: z.ZodError): string => describeFirst(issues)

function describeFirst([first]: readonly z.core.$ZodIssue[]): string {
  if (first === undefined) return 'is malformed'
  const field = first.path.join('.').slice(0, 120)
  const problem = first.code === 'invalid_union' ? describeFirst(nearest(first.errors)) : first.message
  return field === '' ? problem : `${field} ${problem}`
}

/** Of several alternatives the one with the fewest problems. */
const nearest = (forms: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] =>
  forms.reduce((best, one) => (one.length < best.length ? one : best), forms[0] ?? [])
