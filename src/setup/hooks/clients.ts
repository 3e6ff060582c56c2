/**
 * The input that coding agents give to their hooks, and the output they expect. Loaded at every prompt of every
 * session, so this file imports nothing.
 */

/** When a hook is called: at the start of a session, for a prompt of the user, or when the agent has finished. */
export type Moment = 'start' | 'prompt' | 'stop'

export const CLIENTS = ['claude', 'codex', 'cursor'] as const
type ClientName = (typeof CLIENTS)[number]

interface Client {
  readonly moments: Readonly<Record<string, Moment>>
  /** The output that shows this text to the model. */
  tell(event: string, text: string): object
  /** The output that makes the agent continue, with the reason. */
  goOn(text: string): object
}

/** Codex uses the same format. */
const claudeLike: Client = {
  moments: { SessionStart: 'start', UserPromptSubmit: 'prompt', Stop: 'stop' },
  tell: (hookEventName, additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } }),
  goOn: (reason) => ({ decision: 'block', reason }),
}

const TABLE: Readonly<Record<ClientName, Client>> = {
  claude: claudeLike,
  codex: claudeLike,
  cursor: {
    moments: { sessionStart: 'start', stop: 'stop' },
    tell: (_event, additional_context) => ({ additional_context }),
    goOn: (followup_message) => ({ followup_message }),
  },
}

export interface Hook extends Pick<Client, 'goOn'> {
  readonly client: ClientName
  readonly moment: Moment
  tell(text: string): object
}

/** Undefined when there is no such client, or it has no such event. */
export function hookOf(clientName: string, event: string): Hook | undefined {
  const client = CLIENTS.find((name) => name === clientName)
  if (client === undefined) return undefined
  const { moments, tell, goOn } = TABLE[client]
  const moment = Object.hasOwn(moments, event) ? moments[event] : undefined
  return moment === undefined ? undefined : { client, moment, goOn, tell: (text) => tell(event, text) }
}

export const hooksOf = (client: ClientName): readonly string[] => Object.keys(TABLE[client].moments)

/** The parts of a hook's input that are used. A missing or malformed field counts as absent. */
export interface HookInput {
  readonly sessionId: string | undefined
  /** The folders that the session works in, the most reliable first. */
  readonly folders: readonly string[]
  /** The model still has its earlier context. */
  readonly isResumed: boolean
  /** The agent continues already because a hook asked for it, or its user stopped it. */
  readonly mustStop: boolean
}

export function inputFrom(said: unknown): HookInput {
  const fields: Readonly<Record<string, unknown>> =
    typeof said === 'object' && said !== null && !Array.isArray(said) ? { ...said } : {}
  const { session_id, conversation_id, cwd, workspace_roots, source, stop_hook_active, loop_count, status } =
    fields
  const roots: readonly unknown[] = Array.isArray(workspace_roots) ? workspace_roots : []
  return {
    sessionId: [session_id, conversation_id].find(isText),
    folders: [roots[0], cwd].filter(isText),
    isResumed: source === 'resume',
    mustStop:
      (stop_hook_active !== undefined && stop_hook_active !== false) ||
      (loop_count !== undefined && loop_count !== 0) ||
      (status !== undefined && status !== 'completed'),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
