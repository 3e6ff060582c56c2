import { Fault } from '../../protocol/fault.ts'
import { derivedUuid } from '../../protocol/json/canonical.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { readAs } from '../../protocol/read-as.ts'
import { ContentPart, type InputMessage, type Role } from '../../protocol/run/content.ts'
import {
  DEFAULT_WORK,
  EMPTY_REQUEST,
  type RunRequest,
  type ToolDefinition,
} from '../../protocol/run/request.ts'
import { AgentRequest, Generation, type WireMessage, type WirePart } from './request.ts'

/** From the body of `POST /process` to a run, or a Fault that names the field. */
export function toRun(body: unknown, newId: () => string): { request: RunRequest; stream: boolean } {
  const asked = readAs(AgentRequest, body)
  const { work_type: work, ...parameters } = asked.biz_params ?? {}
  const sessionId = sessionOf(asked, newId)
  const tools = asked.tools ?? []
  const functions = tools.map(functionOf)
  const otherTools = tools.filter((_, index) => functions[index] === undefined)
  const messages = asked.input.filter(({ type }) => type !== 'heartbeat').map(messageOf)
  return {
    stream: asked.stream ?? true,
    request: {
      ...EMPTY_REQUEST,
      dialect: 'agent-api',
      request_id: asked.id || `response_${newId()}`,
      session_id: runSessionOf(sessionId, asked.user_id),
      work_type: workOf(work),
      messages,
      parameters: { ...extrasOf(body), ...parameters },
      generation: { ...generationOf(asked), ...(otherTools.length === 0 ? {} : { tools: otherTools }) },
      tools: functions.filter((tool) => tool !== undefined),
      files: messages.flatMap(({ content }) => content.flatMap(uriOf)),
      wire: { session_id: sessionId },
    },
  }
}

/** What the answer says about its session: the asker's own word for it. */
export function sessionIdOf({ wire, session_id }: RunRequest): string {
  const { session_id: given } = wire
  return typeof given === 'string' ? given : (session_id ?? '')
}

/** Whoever sends the same id again means the same request, so its session must not be another one. */
function sessionOf({ session_id, id }: AgentRequest, newId: () => string): string {
  return session_id || (id ? derivedUuid('agent-api session', id) : newId())
}

/** Users of one asker have separate sessions, even where the names of the sessions are the same. */
function runSessionOf(sessionId: string, userId: string | null | undefined): string {
  if (!userId || userId === sessionId) return sessionId
  return `${encodeURIComponent(userId)}/${encodeURIComponent(sessionId)}`
}

function workOf(given: unknown): string {
  if (given === undefined || given === null) return DEFAULT_WORK
  if (typeof given === 'string' && given !== '') return given
  throw new Fault('invalid_params', 'biz_params.work_type: must be text', {
    data: { field: 'biz_params.work_type' },
  })
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(AgentRequest.shape))

function extrasOf(body: unknown): JsonObject {
  const given = isJsonObject(body) ? body : {}
  return Object.fromEntries(Object.entries(given).filter(([key]) => !KNOWN_KEYS.has(key)))
}

function generationOf(asked: AgentRequest): JsonObject {
  const given = Generation.keyof().options.map((key) => [key, asked[key]] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null))
}

/** With its definition under `function`, or at the top as newer clients write it; undefined for other tools. */
function functionOf(tool: JsonObject): ToolDefinition | undefined {
  const { type = 'function' } = tool
  const defined = isJsonObject(tool['function']) ? tool['function'] : tool
  const { name, description, parameters } = defined
  if ((type !== 'function' && type !== null) || typeof name !== 'string') return undefined
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: isJsonObject(parameters) ? parameters : {},
  }
}

function messageOf({ type, role, content }: WireMessage): InputMessage {
  const kind = type ?? 'message'
  const callId = (content ?? []).map((part) => (part.type === 'data' ? part.data?.['call_id'] : undefined))
  const answers = kind.endsWith('_output') ? callId.find((id) => typeof id === 'string') : undefined
  return {
    role: role ?? roleOf(kind),
    content: (content ?? []).flatMap(partOf),
    ...(answers === undefined ? {} : { tool_call_id: answers }),
  }
}

/** The role of a message that has none. */
function roleOf(type: string): Role {
  if (type === 'message' || type === 'user') return 'user'
  if (type === 'system') return 'system'
  return type.endsWith('_output') ? 'tool' : 'assistant'
}

/** What is empty is left out, and so is a part without what it is there for. */
function partOf(part: WirePart): readonly ContentPart[] {
  const given = part.type === 'file' ? { ...part, filename: part.filename || part.file_name } : part
  const filled = Object.entries(given).filter(([, value]) => value)
  const { data } = ContentPart.safeParse(Object.fromEntries(filled))
  return data === undefined ? [] : [data]
}

/** The URL of a part, unless the part carries its bytes itself. */
function uriOf(part: ContentPart): readonly string[] {
  const [, uri] = Object.entries(part).find(([key]) => key.endsWith('_url')) ?? []
  return typeof uri !== 'string' || /^data:/i.test(uri) ? [] : [uri]
}
