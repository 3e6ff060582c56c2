import * as z from 'zod'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { fieldFault, readAs } from '../../protocol/read-as.ts'

/** Names the extension in the card, and is the key of what it adds to metadata. */
export const CACP_EXTENSION = 'urn:cacp:2.0'

/** What a message may say besides its parts: which work it asks for, with which parameters. */
const Asked = z.object({
  workType: z.string().min(1).max(LIMITS.nameLength).optional(),
  parameters: FreeObject.optional(),
  maxDurationSeconds: z.number().positive().optional(),
})
type Asked = z.infer<typeof Asked>

/** What the first of these metadata with a value for the extension asks for. */
export function askedIn(all: Readonly<Record<string, JsonObject | undefined>>): Asked {
  for (const [name, metadata] of Object.entries(all)) {
    const given = metadata?.[CACP_EXTENSION]
    if (given === undefined) continue
    return readAs(Asked, given, (misfit) =>
      fieldFault(misfit, { lead: 'Invalid params: ', root: [name, CACP_EXTENSION] }),
    )
  }
  return {}
}

export const inExtension = (said: JsonObject): JsonObject => ({ [CACP_EXTENSION]: said })
