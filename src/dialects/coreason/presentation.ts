import { z } from 'zod'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { RunResult } from '../../protocol/run/fold.ts'

/** `domain` of an error, as the wire format writes it; the transport writes it in capitals. */
export const ErrorDomain = z.enum(['client', 'system', 'llm', 'tool', 'security'])
export type ErrorDomain = z.infer<typeof ErrorDomain>

const isOrdered = ([start, end]: readonly [number, number]): boolean => start <= end

const Indices = z
  .tuple([z.int().min(0), z.int().min(0)])
  .refine(isOrdered, 'must be a start and an end that is not before it')

export const CitationEvent = z
  .looseObject({
    type: z.literal('citation'),
    uri: z.string(),
    text: z.string(),
    indices: Indices.optional(),
  })
  .meta({ id: 'CitationEvent' })

export const ArtifactEvent = z
  .looseObject({
    type: z.literal('artifact'),
    artifact_id: z.string(),
    mime_type: z.string(),
    url: z.string().optional(),
  })
  .meta({ id: 'ArtifactEvent' })

export const UserErrorEvent = z
  .looseObject({
    type: z.literal('user_error'),
    message: z.string(),
    code: z.int().optional(),
    domain: ErrorDomain.default('system'),
    retryable: z.boolean().default(false),
  })
  .meta({ id: 'UserErrorEvent' })

/** What a user interface can show of a run besides its text. */
export const PresentationEvent = z
  .discriminatedUnion('type', [CitationEvent, ArtifactEvent, UserErrorEvent])
  .meta({ id: 'PresentationEvent' })
export type PresentationEvent = z.infer<typeof PresentationEvent>

export function citationShown({ uri, text, title, indices }: RunResult['citations'][number]): JsonObject {
  return {
    uri,
    text,
    ...(title === undefined ? {} : { title }),
    ...(indices === undefined || !isOrdered(indices) ? {} : { indices }),
  }
}

/** With its content, because most artifacts have no address to get it from. */
export function artifactShown(artifact: RunResult['artifacts'][number]): JsonObject {
  const { artifact_id, name, mime_type, url, data, text } = artifact
  const content = data ?? text
  return {
    artifact_id,
    name,
    mime_type,
    ...(url === undefined ? {} : { url }),
    ...(content === undefined ? {} : { content }),
  }
}
