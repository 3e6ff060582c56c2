import { z } from 'zod'
import { kind } from './kind.ts'
import { StampText } from './statement.ts'

/** This repo's agent was shown a contract or packet, in the state that had this newest stamp and so many parts. */
export const sighting = kind({
  name: 'sighting',
  family: 'register',
  voices: ['repo'],
  body: z.looseObject({ of: StampText, parts: z.int().min(1) }),
})
