import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'

type ToolCall = readonly [tool: string, input: JsonObject]
type Translate = (params: JsonObject) => ToolCall

const as =
  (tool: string, more: JsonObject = {}): Translate =>
  (params) => [tool, { ...params, ...more }]

/** The method has the fields of the content at its top level; the tool has them in `content`. */
const sharedAs =
  (type: string): Translate =>
  ({ projectId, replyTo, relatedContracts, ...content }) => [
    'context_share',
    { projectId, type, content, replyTo, relatedContracts },
  ]

/** Methods that have a tool of their own. */
export const TOOL_CALLS: Readonly<Record<string, Translate>> = {
  'cacp/brief': as('brief'),
  'cacp/inbox/list': as('inbox'),
  'cacp/wait': as('wait'),
  'cacp/contract/get': as('project'),
  'cacp/contract/propose': as('contract_propose'),
  'cacp/contract/respond': as('contract_respond'),
  'cacp/contract/update': as('contract_update'),
  'cacp/context/getThread': as('project'),
  'cacp/context/share': as('context_share'),
  'cacp/context/askQuestion': sharedAs('question'),
  'cacp/context/recordDecision': sharedAs('decision'),
  'cacp/implementation/start': as('implementation', { action: 'start' }),
  'cacp/implementation/complete': as('implementation', { action: 'complete' }),
  'cacp/implementation/verify': as('implementation', { action: 'verify' }),
  'cacp/project/join': as('project', { action: 'join' }),
}

/** A method call as the tool call that an agent makes. */
export function toolCallFor(method: string, params: unknown): ToolCall {
  const given = isJsonObject(params) ? params : {}
  return TOOL_CALLS[method]?.(given) ?? ['call', { method, params: given }]
}

/** How our texts name the tool for a method; undefined if there is none. */
export const toolFor = (method: string): string | undefined => WORDS[method]

const WORDS: Readonly<Record<string, string>> = {
  'cacp/brief': 'brief',
  'cacp/inbox/list': 'inbox',
  'cacp/wait': 'wait',
  'cacp/search': 'search',
  'cacp/project/list': 'project {}',
  'cacp/project/overview': 'project {}',
  'cacp/project/get': 'project {projectId}',
  'cacp/project/create': 'project {action: create}',
  'cacp/project/join': 'project {action: join}',
  'cacp/contract/list': 'project {projectId}',
  'cacp/contract/get': 'project {projectId, contractId}',
  'cacp/contract/propose': 'contract_propose',
  'cacp/contract/respond': 'contract_respond',
  'cacp/contract/update': 'contract_update',
  'cacp/context/list': 'project {projectId}',
  'cacp/context/getThread': 'project {projectId, packetId}',
  'cacp/context/share': 'context_share',
  'cacp/context/askQuestion': 'context_share {type: question}',
  'cacp/context/recordDecision': 'context_share {type: decision}',
  'cacp/implementation/start': 'implementation {action: start}',
  'cacp/implementation/complete': 'implementation {action: complete}',
  'cacp/implementation/verify': 'implementation {action: verify}',
  'cacp/implementation/getStatus': 'implementation {action: status}',
  'cacp/work/send': 'work_send',
  'cacp/work/get': 'work_send {workId}',
}
