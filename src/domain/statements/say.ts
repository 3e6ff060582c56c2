import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { type Stamp, stampAfter } from '../../protocol/stamp.ts'
import type { Env } from '../env.ts'
import { idOpenedBy } from './certified-id.ts'
import type { Kind } from './kind.ts'
import type { Statement } from './statement.ts'
import { type StatementWithoutId, textOfStatement, withText } from './statement-text.ts'

/** A statement without its signature, which is added when it is written. */
export type Unsigned = Omit<Statement, 'sig'>

/** What entitles a key to speak in a project: the statement that introduced it, and when. */
export interface SpeaksBy {
  readonly project_id: string
  readonly introduction: string
  readonly since: Stamp
  /** Thumbprint of the key that was introduced. */
  readonly key: string
}

export interface Saying<Body, Content> {
  /** Missing if the statement opens an entity, whose id is derived from it. */
  readonly about?: string
  readonly at: Stamp
  readonly body: Body
  readonly content?: Content
}

/** For whom a statement is made; without a caller, the daemon makes it by itself. */
type ForWhom = Partial<Pick<Env, 'caller'>>
/** What it takes to speak. */
export type Speaking = Pick<Env, 'now' | 'newNonce'> & ForWhom

/** The body as it is signed: what a person says is marked as that, so that nobody takes it for the agent's word. */
const marked = (body: unknown, { caller }: ForWhom): JsonObject =>
  caller?.person === undefined ? (body as JsonObject) : { ...(body as JsonObject), by_person: true }

/** Makes a statement of this daemon, under one of its claims or as the founder of a project. */
export function say<Body, Content>(
  kind: Kind<Body, Content>,
  { project_id, introduction: under, key }: Pick<SpeaksBy, 'project_id' | 'introduction' | 'key'>,
  { about, at, body, content }: Saying<Body, Content>,
  env: Pick<Env, 'newNonce'> & ForWhom,
): Unsigned {
  return withId({
    project_id,
    kind: kind.name,
    ...(about === undefined ? {} : { about }),
    under,
    at,
    body: marked(body, env),
    ...(content === undefined
      ? {}
      : { content: { salt: env.newNonce(), value: content as unknown as JsonObject } }),
    key,
  })
}

/** Makes the statement that founds a project. The project's id is derived from it. */
export function sayFounding<Body>(
  kind: Kind<Body>,
  { at, body }: { readonly at: Stamp; readonly body: Body },
  env: Pick<Env, 'self'> & ForWhom,
): Unsigned {
  const key = env.self.signer.keyId
  const project_id = idOpenedBy({ kind: kind.name, at, body: marked(body, env), key })
  return sayFirst(kind, { project_id, about: project_id, at, body }, env)
}

/** Makes a founding or a claim, which introduces its own key. */
export function sayFirst<Body>(
  kind: Kind<Body>,
  { project_id, about, at, body }: Pick<Statement, 'project_id' | 'about' | 'at'> & { readonly body: Body },
  env: Pick<Env, 'self'> & ForWhom,
): Unsigned {
  const { keyId: key } = env.self.signer
  return withId({ project_id, kind: kind.name, about, at, body: marked(body, env), key })
}

/** The time for a new statement: now, or just after the newest about the same entity if that is ahead. */
export const timeToSay = (now: Stamp, newest: Stamp | undefined, since?: Stamp): Stamp => {
  const after = newest === undefined ? now : stampAfter(now, newest)
  return since === undefined || after > since ? after : since
}

/** What the author of this founding or claim speaks by from now on. */
export const speaksByOf = ({ project_id, id, at, key }: Unsigned): SpeaksBy => ({
  project_id,
  introduction: id,
  since: at,
  key,
})

/** Refuses statements that are too long for other daemons to accept. */
function withId(said: StatementWithoutId): Unsigned {
  const text = textOfStatement(said)
  const { excess } = text
  if (excess === undefined) return withText(said, text)
  throw new Fault('too_large', `What this call says is too much at once: its ${excess} of JSON`, {
    next: 'Say it shorter, or share larger material as a file (POST /files, then cacp/file/share)',
  })
}
