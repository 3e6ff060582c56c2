import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { RunResult } from '../../protocol/run/fold.ts'

/** `domain` of an error, as the wire format writes it; the transport writes it in capitals. */
export const ErrorDomain = z.enum(['client', 'system', 'llm', 'tool', 'security'])
export type ErrorDomain = z.infer<typeof ErrorDomain>

export const UserErrorEvent = z
  .looseObject({
    type: z.literal('user_error'),
    message: z.string(),
    code: z.int().optional(),
    domain: ErrorDomain.default('system'),
    retryable: z.boolean().default(false),
  })
  .meta({ id: 'UserErrorEvent' })

export function citationShown({ uri, text, title, indices }: RunResult['citations'][number]): JsonObject {
  return {
    uri,
    text,
    ...defined({ title }),
    ...(indices === undefined || indices[0] > indices[1] ? {} : { indices }),
  }
}

/** With its content, because most artifacts have no address to get it from. */
export function artifactShown(artifact: RunResult['artifacts'][number]): JsonObject {
  const { artifact_id, name, mime_type, url, data, text } = artifact
  const content = data ?? text
  return { artifact_id, name, mime_type, ...defined({ url, content }) }
}
