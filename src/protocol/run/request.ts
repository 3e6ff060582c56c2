import { hashOf } from '../json/canonical.ts'
import type { JsonObject } from '../json/json.ts'
import { type InputMessage, textOf } from './content.ts'

export const DIALECTS = ['coreason', 'cap', 'chiffon', 'agent-api', 'a2a'] as const
export type Dialect = (typeof DIALECTS)[number]

/** A question to the default agent: the configured command, or else the librarian. */
export const DEFAULT_WORK = 'answer_question'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject
}

/** The origin of a request, end to end. */
export interface Lineage {
  readonly trace_id?: string
  readonly root_request_id?: string
  readonly parent_request_id?: string
}

/** Defaults of the fields; dialects spread it and override their own. */
export const EMPTY_REQUEST = {
  /** The conversation that it belongs to; null if there is none. */
  session_id: null as string | null,
  /** DEFAULT_WORK if the dialect has no type of work. */
  work_type: DEFAULT_WORK as string,
  /** Oldest first; the last user message is the request. Empty if the parameters contain everything. */
  messages: [] as readonly InputMessage[],
  parameters: {} as JsonObject,
  /** Limits that the caller sets; they can only lower those of the daemon. */
  hints: {} as { readonly max_duration_seconds?: number; readonly max_memory_mb?: number },
  /** Model, temperature and the like as given, for the runner to use. */
  generation: {} as JsonObject,
  tools: [] as readonly ToolDefinition[],
  /** URIs in the request. They are passed on, never fetched. */
  files: [] as readonly string[],
  lineage: {} as Lineage,
  /**
   * What only the dialect needs to encode the run later (ids to echo, custom fields, a display mode).
   * No runner sees it, and it may differ when the same request is sent again.
   */
  wire: {} as JsonObject,
}

/**
 * A request to this repository's agent, independent of any protocol. Each dialect translates its own requests into
 * this form (`src/dialects/<name>/`, pure), and the events that follow back into its own.
 */
export interface RunRequest extends Readonly<typeof EMPTY_REQUEST> {
  /** The caller's id of this request. The same id from the same caller in the same dialect is the same run. */
  readonly request_id: string
  readonly dialect: Dialect
}

/** The prompt: the text of the last user message, else `parameters.query`, `question`, `prompt` or `text`. */
export function promptOf({ messages, parameters }: RunRequest): string {
  const asked = messages.findLast(({ role }) => role === 'user')
  if (asked !== undefined) return textOf(asked)
  const words = ['query', 'question', 'prompt', 'text'].map((key) => parameters[key])
  return words.find((value) => typeof value === 'string') ?? ''
}

/** Equal exactly when two requests ask for the same, however each was sent. */
export const fingerprintOf = ({ wire: _, ...asked }: RunRequest): string => hashOf(asked)
