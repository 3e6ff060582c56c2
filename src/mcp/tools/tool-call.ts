import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

type ToolCall = readonly [tool: string, input: JsonObject]
type Translate = (params: JsonObject) => ToolCall

const as =
  (tool: string, more: JsonObject = {}): Translate =>
  (params) => [tool, { ...params, ...more }]

/** Where what is shared stands between what it is about. */
const sharedAs =
  (type: string): Translate =>
  ({ projectId, replyTo, relatedContracts, ...content }) => [
    'context_share',
    { projectId, type, content, replyTo, relatedContracts },
  ]

/** Methods that have a tool of their own. */
const TOOLS: Readonly<Record<string, Translate>> = {
  'cacp/brief': as('brief'),
  'cacp/inbox/list': as('inbox'),
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

/** The call of a method, as an agent makes it. */
export function toolCallFor(method: string, params: unknown): ToolCall {
  const given = isJsonObject(params) ? params : {}
  return TOOLS[method]?.(given) ?? ['call', { method, params: given }]
}
