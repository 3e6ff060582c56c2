import * as z from 'zod'
import { kind } from './kind.ts'
import { StampText } from './statement.ts'

/** A receipt: this repo's agent read a contract or packet in the state with this newest time and number of parts. */
export const sighting = kind({
  name: 'sighting',
  family: 'register',
  madeBy: ['repo'],
  body: z.looseObject({ of: StampText, parts: z.int().min(1) }),
})
