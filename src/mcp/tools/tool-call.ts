import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { AGENT_METHODS } from '../agent-methods.ts'

type ToolCall = readonly [tool: string, input: JsonObject]
type Translate = (params: JsonObject) => JsonObject

const same: Translate = (params) => params

const acting =
  (action: string): Translate =>
  (params) => ({ ...params, action })

/** The method has the fields of the content at its top level; the tool has them in `content`. */
const sharing =
  (type: string): Translate =>
  ({ projectId, replyTo, relatedContracts, ...content }) => ({
    projectId,
    type,
    content,
    replyTo,
    relatedContracts,
  })

/** How our texts name the tool for a method, and where that call is suggested, what the tool takes for its params. */
export const TOOL_CALLS: Readonly<Record<string, readonly [word: string, translate?: Translate]>> = {
  'cacp/brief': ['brief', same],
  'cacp/inbox/list': ['inbox', same],
  'cacp/wait': ['wait', same],
  'cacp/search': ['search'],
  'cacp/project/list': ['project {}'],
  'cacp/project/overview': ['project {}'],
  'cacp/project/get': ['project {projectId}'],
  'cacp/project/create': ['project {action: create}'],
  'cacp/project/join': ['project {action: join}', acting('join')],
  'cacp/contract/list': ['project {projectId}'],
  'cacp/contract/get': ['project {projectId, contractId}', same],
  'cacp/contract/propose': ['contract_propose', same],
  'cacp/contract/respond': ['contract_respond', same],
  'cacp/contract/update': ['contract_update', same],
  'cacp/context/list': ['project {projectId}'],
  'cacp/context/getThread': ['project {projectId, packetId}', same],
  'cacp/context/share': ['context_share', same],
  'cacp/context/askQuestion': ['context_share {type: question}', sharing('question')],
  'cacp/context/recordDecision': ['context_share {type: decision}', sharing('decision')],
  'cacp/implementation/start': ['implementation {action: start}', acting('start')],
  'cacp/implementation/complete': ['implementation {action: complete}', acting('complete')],
  'cacp/implementation/verify': ['implementation {action: verify}', acting('verify')],
  'cacp/implementation/getStatus': ['implementation {action: status}'],
  'cacp/work/send': ['work_send'],
  'cacp/work/get': ['work_send {workId}'],
}

/** A method call as the tool call that an agent makes. */
export function toolCallFor(method: string, params: unknown): ToolCall {
  const given = isJsonObject(params) ? params : {}
  const [word = '', translate] = TOOL_CALLS[method] ?? []
  return translate === undefined
    ? ['call', { method, params: given }]
    : [word.split(' ', 1)[0] ?? '', translate(given)]
}

/** How our texts name the tool for a method; undefined if there is none. */
export const toolFor = (method: string): string | undefined => TOOL_CALLS[method]?.[0]

/** A method name in our own texts, with a preceding "call"; not a method name inside JSON. */
const METHOD_NAME = /(\b[Cc]all )?(?<!")\b(cacp(?:\/[A-Za-z]+)+)/g
/** Text by others is in quotes that it cannot close. */
const QUOTED = /(«[^»]*»)/

/** The text for a reader that has tools instead of methods: each method name is replaced by the tool to call. */
export const inToolWords = (text: string): string =>
  text
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(METHOD_NAME, replaceMethod)))
    .join('')

function replaceMethod(whole: string, call = '', method: string): string {
  const tool = toolFor(method)
  if (tool !== undefined) return `${call}${tool}`
  // Methods without a tool of their own; those for people or daemons keep their name.
  return AGENT_METHODS.has(method) ? `${call === 'Call ' ? 'Call' : 'call'} ${method}` : whole
}
