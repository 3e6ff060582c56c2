import * as z from 'zod'
import { namedShape } from '../../protocol/words.ts'

export const HealthCheckResponse = namedShape('HealthCheckResponse', {
  status: z.enum(['ok', 'degraded', 'maintenance']),
  agent_id: z.uuid(),
  version: z.string(),
  uptime_seconds: z.number(),
})
export type HealthCheckResponse = Readonly<z.infer<typeof HealthCheckResponse>>
