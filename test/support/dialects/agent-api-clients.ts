import { z } from 'zod'

/**
 * The two clients that speak this protocol in earnest, as far as they read: what each makes of a stream, with
 * the strictness that each of them really has.
 */

// biome-ignore lint/suspicious/noExplicitAny: events of every shape
type Event = any

export interface Shown {
  /** What stands on the screen in the end: every message with its contents. */
  messages: Event[]
  /** Whether it still shows that it is waiting. */
  isSpinning: boolean
  error: { code: string; message: string } | undefined
}

/** The web client. It throws where the real one loses the whole answer. */
export function webClient(stream: string): Shown {
  const shown: Shown = { messages: [], isSpinning: true, error: undefined }
  for (const part of stream.split('\n\n').filter((text) => text.trim() !== '')) {
    const fields = fieldsOf(part)
    // A comment has no fields at all; anything else has to have data.
    if (Object.keys(fields).length > 0) show(JSON.parse(String(fields['data'])), shown)
  }
  return shown
}

function fieldsOf(part: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const line of part.split('\n')) {
    const colon = line.indexOf(':')
    if (colon === -1) throw new Error(`a line without a colon: ${line}`)
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1)
  }
  return fields
}

function show(event: Event, shown: Shown): void {
  if (event.object === 'response') {
    // Whatever it says about the messages is taken for all there is.
    shown.messages = event.output ?? []
    const hasAnswer = event.status === 'completed' && (event.output?.[0]?.content?.length ?? 0) > 0
    if (hasAnswer || event.status === 'failed') shown.isSpinning = false
    if (event.status === 'failed') shown.error = event.error
  }
  if (event.object === 'message' && event.type !== 'heartbeat') {
    const at = shown.messages.findIndex(({ id }) => id === event.id)
    if (at === -1) shown.messages.push(event)
    else shown.messages[at] = event
  }
  if (event.object === 'content') {
    const message = shown.messages.find(({ id }) => id === event.msg_id)
    if (message === undefined) return
    message.content ??= []
    const last = message.content.at(-1)
    if (last !== undefined && event.delta) last.text += event.text
    else message.content.splice(-1, 1, event)
  }
}

const Sequence = z.union([z.int(), z.string().regex(/^\d+$/)]).nullish()
const Failure = z.object({ code: z.string(), message: z.string() }).nullish()
const Content = z.object({
  object: z.literal('content'),
  sequence_number: Sequence,
  type: z.enum(['text', 'image', 'data', 'audio', 'file', 'refusal', 'video']),
  index: z.int().nullish(),
  delta: z.boolean().nullish(),
  msg_id: z.string().nullish(),
  text: z.string().nullish(),
})
const Message = z.object({
  object: z.literal('message'),
  sequence_number: Sequence,
  error: Failure,
  id: z.string(),
  type: z.string(),
  role: z.enum(['assistant', 'user', 'system', 'tool']).nullish(),
  content: z.array(Content).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
const Response = z.object({
  object: z.literal('response'),
  sequence_number: Sequence,
  error: Failure,
  id: z.string(),
  created_at: z.int(),
  completed_at: z.int().nullish(),
  output: z.array(Message).nullish(),
  usage: z.record(z.string(), z.unknown()).nullish(),
})
const Any = z.discriminatedUnion('object', [Response, Message, Content])

/** Python takes all of these for the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are the point
const PYTHON_LINES = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/

/** The Python client: lines that begin exactly like this, and of those only the ones that fit its models. */
export function pythonClient(stream: string): Event[] {
  return stream
    .split(PYTHON_LINES)
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)))
    .filter((event) => Any.safeParse(event).success)
}
