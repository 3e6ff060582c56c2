import * as z from 'zod'
import { FreeObject, type Json } from '../json/json.ts'
import type { Stamp } from '../stamp.ts'
import { ContentPart } from './content.ts'
import type { RunFailure } from './failure.ts'

const Text = z.string()
const Words = z.string().min(1).max(1000)

/**
 * The events that a runner may emit while it works. An agent's command with `agent.output: "events"` writes these as
 * lines of JSON, so they are a schema and not only types.
 */
export const RunnerEvent = z.discriminatedUnion('type', [
  /** A piece of the answer. The concatenation of all pieces is the whole text. */
  z.object({ type: z.literal('text'), delta: Text }),
  z.object({ type: z.literal('reasoning'), delta: Text }),
  /** Progress. Engine and fold make sure that `progress` never decreases. */
  z.object({
    type: z.literal('step'),
    number: z.int().min(0),
    name: Words,
    output: Text.default(''),
    progress: z.int().min(0).max(100).nullable().default(null),
    status: z.enum(['running', 'step_completed', 'paused']).default('running'),
  }),
  /** `arguments` and `output` are JSON text or any other text, as models write them. */
  z.object({ type: z.literal('tool_call'), call_id: Words, name: Words, arguments: Text.default('{}') }),
  z.object({ type: z.literal('tool_output'), call_id: Words, name: Words.optional(), output: Text }),
  /** A source of the answer. `uri` is `cacp:contract/<id>`, `cacp:packet/<id>`, … or any other. */
  z.object({
    type: z.literal('citation'),
    uri: Words,
    text: Text,
    title: Text.optional(),
    /** Start and end in the text of the answer so far, in UTF-16 units. */
    indices: z.tuple([z.int().min(0), z.int().min(0)]).optional(),
  }),
  /** A thing that the work made or found, apart from the answer: with `data`, `text` or `url`. */
  z.object({
    type: z.literal('artifact'),
    artifact_id: Words,
    name: Text,
    mime_type: Words,
    data: FreeObject.optional(),
    text: Text.optional(),
    url: Text.optional(),
  }),
  /** A part of the answer that is no text: an image, data, a file. */
  z.object({ type: z.literal('content'), part: ContentPart }),
  /** Tokens and the like. Later values replace earlier ones key by key. */
  z.object({ type: z.literal('usage'), usage: z.record(z.string().max(100), z.number()) }),
  /** Shows that the work goes on. */
  z.object({ type: z.literal('heartbeat'), note: Text.default('') }),
])
export type RunnerEvent = Readonly<z.infer<typeof RunnerEvent>>

/** Starts every attempt. Earlier events belong to an earlier attempt and no longer count. */
interface Started {
  readonly type: 'started'
  readonly attempt: number
  /** The runner: `librarian`, `command`, or the name of a built-in. */
  readonly runner: string
}

/** The three final events. Exactly one ends an attempt, and only the start of another attempt follows it. */
export type RunEnd = Measured &
  /** `output` is the result as data, if the work has one besides its text. */
  (
    | { readonly type: 'completed'; readonly output: Json }
    | ({ readonly type: 'failed' } & RunFailure)
    | { readonly type: 'canceled'; readonly reason: string }
  )

export interface Measured {
  readonly attempt: number
  readonly duration_ms: number
  /** Of the process that did the work; null where there was none, or it was killed. */
  readonly exit_code: number | null
  /** Null where the system does not measure it. */
  readonly cpu_ms: number | null
}

export type RunEventBody = Started | RunnerEvent | RunEnd

/** Sequence numbers count 1, 2, 3, … over all attempts of a run, without gaps. */
export type RunEvent = RunEventBody & { readonly sequence: number; readonly at: Stamp }

export type EndEvent = RunEvent & RunEnd

export function isEnd(event: RunEvent): event is EndEvent {
  return event.type === 'completed' || event.type === 'failed' || event.type === 'canceled'
}
