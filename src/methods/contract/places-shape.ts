import { z } from 'zod'
import { TOLERANCES } from '../../domain/interface/model.ts'
import { PlaceText } from '../../domain/statements/expectation.ts'
import { LIMITS } from '../../protocol/limits.ts'

/** Places in a contract that somebody uses. */
export const Places = z.array(PlaceText).max(LIMITS.listItems)

export const Tolerances = z.array(z.enum(TOLERANCES)).max(LIMITS.listItems)
