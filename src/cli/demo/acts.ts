import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../../client.ts'
import type { MethodName, ParamsOf, ResultOf } from '../../methods/table.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { DemoEvent } from './narration.ts'

/** One of the repositories, with its daemon. */
export interface Actor {
  readonly repo: string
  readonly root: string
  readonly client: Client
}

export interface Stage {
  readonly backend: Actor
  readonly frontend: Actor
  tell(event: DemoEvent): void
  /** Time for people to read. */
  pause(): Promise<void>
  /** Ends the story early. */
  readonly signal: AbortSignal
}

/** How often is looked whether something has come over, and how long it may take. */
const LOOK_MILLIS = 10
const ARRIVAL_MILLIS = 15_000

interface Act<Name extends MethodName> {
  readonly says: string | ((result: ResultOf<Name>) => string)
  readonly method: Name
  readonly params: ParamsOf<Name>
  /** The part of the result that is shown; default: all of it. */
  readonly tells?: (result: ResultOf<Name>) => object
}

/** Calls a method for a repository, and tells what it did. */
export async function act<Name extends MethodName>(
  { tell, pause, signal }: Stage,
  { repo, client }: Actor,
  { says, method, params, tells }: Act<Name>,
): Promise<ResultOf<Name>> {
  await pause()
  const result = await client.call(method, params, { signal })
  const told = tells?.(result) ?? (result as object)
  const words = typeof says === 'string' ? says : says(result)
  tell({ event: 'step', by: repo, says: words, method, result: told })
  return result
}

/** The same with what the other repository has to know before the story goes on. */
export async function share<Name extends MethodName>(stage: Stage, actor: Actor, deed: Act<Name>) {
  const result = await act(stage, actor, deed)
  const at = actor === stage.backend ? stage.frontend : stage.backend
  await arrival(stage, { at, what: 'it' }, () => isDelivered(actor))
  return result
}

export const isDelivered = async ({ client }: Actor): Promise<boolean> =>
  (await client.call('cacp/outbox/list', {})).peers.length === 0

interface Endpoint {
  readonly name: string
  readonly first: { readonly method: string; readonly path: string } & JsonObject
}

export const propose = (stage: Stage, actor: Actor, projectId: string, { name, first }: Endpoint) =>
  share(stage, actor, {
    says: `proposes «${name}»: ${first.method} ${first.path}`,
    method: 'cacp/contract/propose',
    params: { projectId, type: 'api_endpoint', name, content: first },
  })

export const requestChange = (stage: Stage, actor: Actor, subject: Subject, comment: string) =>
  share(stage, actor, {
    says: `asks for a change: «${comment}»`,
    method: 'cacp/contract/respond',
    params: { ...subject, action: 'request_change', comment },
  })

export interface Subject {
  readonly projectId: string
  readonly contractId: string
}

/** Polls until it has arrived; until then the daemon refuses it as unknown. */
export async function arrival(
  { tell, signal }: Stage,
  { at, what }: { at: Actor; what: string },
  isThere: () => Promise<boolean>,
): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < ARRIVAL_MILLIS) {
    signal.throwIfAborted()
    if (await isThere().catch(isUnknownYet)) {
      tell({ event: 'arrived', at: at.repo, what, afterMillis: Math.round(performance.now() - began) })
      return
    }
    await wait(LOOK_MILLIS, undefined, { signal })
  }
  throw new Error(`What was said has not reached ${at.repo} within ${ARRIVAL_MILLIS / 1000} s`)
}

function isUnknownYet(error: unknown): false {
  if ((error as { kind?: unknown }).kind === 'not_found') return false
  throw error
}
