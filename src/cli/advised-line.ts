import type { NextCall } from '../domain/inbox-item.ts'
import { isJsonObject } from '../protocol/json.ts'

/** The line to paste for the call that a refusal advises, to the same daemon and as the same agent. */
export async function advisedLine(
  refusal: unknown,
  words: readonly string[],
  self: string,
): Promise<string | undefined> {
  const data = refusal instanceof Error && 'data' in refusal ? refusal.data : undefined
  const call = isJsonObject(data) ? data['call'] : undefined
  if (!isCall(call)) return undefined
  // Whoever is refused has loaded the methods already.
  const { nextLine } = await import('./next-line.ts')
  const asked = { agentId: wordAfter('--agent-id', words), data: wordAfter('--data', words) }
  return nextLine(call, asked, self)
}

const isCall = (call: unknown): call is NextCall =>
  isJsonObject(call) && typeof call['method'] === 'string' && isJsonObject(call['params'])

function wordAfter(option: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`))
  if (at < 0) return undefined
  return words[at] === option ? words[at + 1] : words[at]?.slice(option.length + 1)
}
