import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { type Stamp, stampAfter } from '../../protocol/stamp.ts'
import type { Env } from '../env.ts'
import { idOpenedBy } from './certified-id.ts'
import type { Kind } from './kind.ts'
import { SaidText, type Untold, withText } from './said-text.ts'
import type { Statement } from './statement.ts'

/** Everything of a statement but its signature, which is made when it is written. */
export type Unsigned = Omit<Statement, 'sig'>

/** By what somebody speaks in a project: the statement that introduced its key, and when that was said. */
export interface SpeaksBy {
  readonly project_id: string
  readonly introduction: string
  readonly since: Stamp
  /** Thumbprint of the key that was introduced. */
  readonly key: string
}

export interface Saying<Body, Content> {
  /** None for what opens something, which gets its id from it. */
  readonly about?: string
  readonly at: Stamp
  readonly body: Body
  readonly content?: Content
}

/** What this daemon says under one of its claims, or as the founder of a project. */
export function say<Body, Content>(
  kind: Kind<Body, Content>,
  { project_id, introduction: under, key }: Pick<SpeaksBy, 'project_id' | 'introduction' | 'key'>,
  { about, at, body, content }: Saying<Body, Content>,
  env: Pick<Env, 'newNonce'>,
): Unsigned {
  return withId({
    project_id,
    kind: kind.name,
    ...(about === undefined ? {} : { about }),
    under,
    at,
    body: body as JsonObject,
    ...(content === undefined
      ? {}
      : { content: { salt: env.newNonce(), value: content as unknown as JsonObject } }),
    key,
  })
}

/** A founding, which gives the project its id. */
export function sayFounding<Body>(
  kind: Kind<Body>,
  { at, body }: { readonly at: Stamp; readonly body: Body },
  env: Pick<Env, 'self'>,
): Unsigned {
  const key = env.self.signer.keyId
  const project_id = idOpenedBy({ kind: kind.name, at, body: body as JsonObject, key })
  return sayFirst(kind, { project_id, about: project_id, at, body }, env)
}

/** A founding or a claim, which brings its own key. */
export function sayFirst<Body>(
  kind: Kind<Body>,
  { project_id, about, at, body }: Pick<Statement, 'project_id' | 'about' | 'at'> & { readonly body: Body },
  { self }: Pick<Env, 'self'>,
): Unsigned {
  return withId({ project_id, kind: kind.name, about, at, body: body as JsonObject, key: self.signer.keyId })
}

/** When to say something: now, or just after the newest word on the same thing when a clock lags behind. */
export const timeToSay = (now: Stamp, newest: Stamp | undefined, since?: Stamp): Stamp => {
  const after = newest === undefined ? now : stampAfter(now, newest)
  return since === undefined || after > since ? after : since
}

/** By what whoever made this founding or claim speaks from then on. */
export const speaksByOf = ({ project_id, id, at, key }: Unsigned): SpeaksBy => ({
  project_id,
  introduction: id,
  since: at,
  key,
})

/** What nobody would take is not said. */
function withId(said: Untold): Unsigned {
  const text = new SaidText(said)
  const { excess } = text
  if (excess === undefined) return withText(said, text)
  throw new Fault('too_large', `What this call says is too much at once: its ${excess} of JSON`, {
    next: 'Say it shorter, or share larger material as a file (POST /files, then cacp/file/share)',
  })
}
