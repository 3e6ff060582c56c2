import type { NextCall } from '../../domain/inbox/item.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { type Advised, asSaid } from '../program/report.ts'
import type { Terminal } from './terminal.ts'

/** What a refusal is for people. */
export async function advised(
  refusal: unknown,
  words: readonly string[],
  terminal: Terminal,
): Promise<Advised> {
  const data = refusal instanceof Error && 'data' in refusal ? refusal.data : undefined
  if (!isJsonObject(data)) return asSaid
  // Whoever is refused has loaded the methods already.
  const { nextLine } = await import('./next-line.ts')
  const { IDS, namesFor } = await import('../derive/known-names.ts')
  const { withDaemon } = await import('../form/with-daemon.ts')
  const asked = { agentId: wordAfter('--agent-id', words), data: wordAfter('--data', words) }
  const { call } = data
  const calls = [...(isCall(call) ? [call] : []), ...about(data)]
  if (calls.length === 0) return asSaid
  // Ids say the same where the daemon is away meanwhile.
  const names = await withDaemon(asked, terminal, (client) => namesFor(client, calls)).catch(() => IDS)
  return {
    // Of several that may be meant, each stands there with its id and its name already.
    inWords: (data['candidates'] === undefined && names.inWords) || asSaid.inWords,
    ...(isCall(call) ? { line: nextLine(call, asked, { self: terminal.self, names }) } : {}),
  }
}

/** A look at what was refused. */
const about = ({ projectId, contractId }: JsonObject): NextCall[] =>
  typeof projectId !== 'string'
    ? []
    : typeof contractId === 'string'
      ? [{ method: 'cacp/contract/get', params: { projectId, contractId } }]
      : [{ method: 'cacp/project/get', params: { projectId } }]

const isCall = (call: unknown): call is NextCall =>
  isJsonObject(call) && typeof call['method'] === 'string' && isJsonObject(call['params'])

function wordAfter(option: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`))
  if (at < 0) return undefined
  return words[at] === option ? words[at + 1] : words[at]?.slice(option.length + 1)
}
