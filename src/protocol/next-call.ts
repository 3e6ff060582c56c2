import * as z from 'zod'
import { FreeObject } from './json/json.ts'
import { Texts } from './words.ts'

/** A call that an answer or a fault advises. */
export const NextCall = z.object({
  method: z.string(),
  params: FreeObject,
  fill: Texts.optional().describe('params for you to decide or to write'),
})
export type NextCall = z.output<typeof NextCall>
