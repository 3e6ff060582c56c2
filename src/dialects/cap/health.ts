import * as z from 'zod'

export const HealthCheckResponse = z
  .object({
    status: z.enum(['ok', 'degraded', 'maintenance']),
    agent_id: z.uuid(),
    version: z.string(),
    uptime_seconds: z.number(),
  })
  .meta({ id: 'HealthCheckResponse' })
export type HealthCheckResponse = Readonly<z.infer<typeof HealthCheckResponse>>
