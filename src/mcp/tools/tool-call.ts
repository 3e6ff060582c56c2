import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

/** Methods that have a tool of their own, and what that takes besides their params. */
const TOOLS: Readonly<Record<string, readonly [tool: string, more?: JsonObject]>> = {
  'cacp/brief': ['brief'],
  'cacp/inbox/list': ['inbox'],
  'cacp/contract/get': ['project'],
  'cacp/contract/propose': ['contract_propose'],
  'cacp/contract/respond': ['contract_respond'],
  'cacp/contract/update': ['contract_update'],
  'cacp/context/getThread': ['project'],
  'cacp/implementation/start': ['implementation', { action: 'start' }],
  'cacp/implementation/complete': ['implementation', { action: 'complete' }],
  'cacp/implementation/verify': ['implementation', { action: 'verify' }],
  'cacp/project/join': ['project', { action: 'join' }],
}

/** The call of a method, as an agent makes it. */
export function toolCallFor({ method, params }: JsonObject): string {
  const given = isJsonObject(params) ? params : {}
  const [tool, more] = TOOLS[String(method)] ?? []
  return tool === undefined
    ? `call ${JSON.stringify({ method, params: given })}`
    : `${tool} ${JSON.stringify({ ...given, ...more })}`
}
