import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { NO_ADVICE } from '../program/report.ts'
import type { Terminal } from './terminal.ts'

/** The line to paste for the call that a refusal advises, and names for the ids in its sentences. */
export async function adviceFor(refusal: unknown, words: readonly string[], terminal: Terminal) {
  const data = refusal instanceof Error && 'data' in refusal ? refusal.data : undefined
  if (!isJsonObject(data)) return NO_ADVICE
  // A refusal comes from a call, which has loaded these modules already.
  const { nextLine } = await import('./next-line.ts')
  const { IDS, namesFor } = await import('../derive/known-names.ts')
  const { withDaemon } = await import('../form/with-daemon.ts')
  const asked = { agentId: wordAfter('--agent-id', words), data: wordAfter('--data', words) }
  const { call } = data
  const calls = [...(isCall(call) ? [call] : []), ...about(data)]
  if (calls.length === 0) return NO_ADVICE
  // Without the daemon, ids stand in place of names.
  const names = await withDaemon(asked, terminal, (client) => namesFor(client, calls)).catch(() => IDS)
  return {
    // A list of candidates already shows the id and the name of each.
    inWords: (data['candidates'] === undefined && names.inWords) || NO_ADVICE.inWords,
    ...(isCall(call) ? { line: nextLine(call, asked, { self: terminal.self, names }) } : {}),
  }
}

/** A call that reads what the refusal is about, for its names. */
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
