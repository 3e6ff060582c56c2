import * as z from 'zod'
import { Aid } from '../agent/aid.ts'
import { settingOf } from '../agent/settings.ts'

/** The tokens of orchestrators that are no cacpd, by the agent ID that each of them has here. */
export const ChiffonTokens = settingOf(
  z.record(Aid, z.string().regex(/^[A-Za-z0-9._~+/-]{32}$/)).refine((tokens) => {
    const given = Object.values(tokens)
    return new Set(given).size === given.length
  }),
)
  .prefault({})
  .describe(
    'an object of agent IDs and their tokens, such as {"aid://example.com/orchestrator@1.0.0": "…"}, each token of 32 letters, digits or . _ ~ + / - and no two alike',
  )
