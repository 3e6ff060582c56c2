import { Fault } from '../../protocol/fault.ts'
import { isHeavyJson } from '../../protocol/json/heavy-json.ts'

export interface MostOfAnswer {
  readonly bytes: number
  readonly values: number
  readonly depth: number
}

/** The text that somebody answers, within bounds in which it can also be read. `who`: as a sentence begins with it. */
export async function readAnswer(
  body: AsyncIterable<Uint8Array>,
  who: string,
  most: MostOfAnswer,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most.bytes) throw tooMuch(who)
    chunks.push(chunk)
  }
  return answerText(chunks, who, most)
}

/** The text of chunks that are within the bound on bytes. */
export function answerText(chunks: readonly Uint8Array[], who: string, most: MostOfAnswer): string {
  const text = Buffer.concat(chunks).toString('utf8')
  if (isHeavyJson(text, most)) throw tooMuch(who)
  return text
}

export const tooMuch = (who: string): Fault =>
  new Fault('unavailable', `${who} answered more than anybody asked for`)
