import { z } from 'zod'
import { UserErrorEvent } from '../../../src/dialects/coreason/presentation.ts'

const Indices = z
  .tuple([z.int().min(0), z.int().min(0)])
  .refine(([start, end]) => start <= end, 'must be a start and an end that is not before it')

const CitationEvent = z
  .looseObject({
    type: z.literal('citation'),
    uri: z.string(),
    text: z.string(),
    indices: Indices.optional(),
  })
  .meta({ id: 'CitationEvent' })

const ArtifactEvent = z
  .looseObject({
    type: z.literal('artifact'),
    artifact_id: z.string(),
    mime_type: z.string(),
    url: z.string().optional(),
  })
  .meta({ id: 'ArtifactEvent' })

/** What a user interface can show of a run besides its text. */
export const PresentationEvent = z
  .discriminatedUnion('type', [CitationEvent, ArtifactEvent, UserErrorEvent])
  .meta({ id: 'PresentationEvent' })
