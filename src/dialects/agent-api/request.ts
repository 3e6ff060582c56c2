import * as z from 'zod'
import { FreeObject, isJsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'

const Id = z.string().max(LIMITS.nameLength).nullish()
const Words = z.string().nullish()
const Amount = z.number().nullish()

/** Clients leave out what they do not know, or say null. The web client says `file_name` for `filename`. */
const WirePart = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text'), text: Words }),
    z.object({ type: z.literal('image'), image_url: Words }),
    z.object({ type: z.literal('data'), data: FreeObject.nullish() }),
    z.object({ type: z.literal('audio'), data: Words, format: Words }),
    z.object({ type: z.literal('video'), video_url: Words }),
    z.object({
      type: z.literal('file'),
      file_url: Words,
      file_id: Words,
      filename: Words,
      file_name: Words,
      file_data: Words,
    }),
    z.object({ type: z.literal('refusal'), refusal: Words }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'must be one of text, image, data, audio, video, file, refusal'
        : 'must be an object such as {"type":"text","text":"…"}',
  },
)
export type WirePart = z.output<typeof WirePart>

const WireMessage = z.object({
  /** Any word: there are new ones with every version of the protocol. */
  type: z.string().max(LIMITS.nameLength).nullish(),
  role: z.enum(['system', 'user', 'assistant', 'tool']).nullish(),
  content: z.array(WirePart).max(1000).nullish(),
})
export type WireMessage = z.output<typeof WireMessage>

const Tool = FreeObject.refine(hasObjectParameters, {
  error: 'needs parameters of type "object" in its function',
})

/** How an answer is to be generated: handed to the agent, except that the answer is always one. */
export const Generation = z.object({
  model: z.string().max(LIMITS.nameLength).nullish(),
  top_p: Amount,
  temperature: Amount,
  frequency_penalty: Amount,
  presence_penalty: Amount,
  max_tokens: z.int().min(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(100)]).nullish(),
  n: z.int().min(1).max(5).nullish(),
  seed: z.int().nullish(),
})

/** What `POST /process` takes. Other keys are let through: they are parameters of the work. */
export const AgentRequest = z.object({
  input: z.array(WireMessage).min(1).max(1000),
  stream: z.boolean().nullish(),
  id: Id,
  session_id: Id,
  user_id: Id,
  ...Generation.shape,
  tools: z.array(Tool).max(LIMITS.listItems).nullish(),
  biz_params: FreeObject.nullish(),
})
export type AgentRequest = z.output<typeof AgentRequest>

/** A function must take an object of arguments; tools of other types are not checked. */
function hasObjectParameters({ function: defined }: Record<string, unknown>): boolean {
  if (!isJsonObject(defined) || !isJsonObject(defined['parameters'])) return true
  const { type = 'object' } = defined['parameters']
  return type === 'object'
}
