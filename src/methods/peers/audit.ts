import * as z from 'zod'
import type { Env } from '../../domain/env.ts'
import { AuditLine } from '../../domain/trust/audit.ts'
import { wrongField } from '../../protocol/fault.ts'
import { PeerWord } from '../../protocol/named.ts'
import { addMicros, parseStamp, type Stamp } from '../../protocol/stamp.ts'
import { Flag } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

const MOST_LINES = 1000

export const list = method({
  name: 'cacp/audit/list',
  summary: 'Show who was let in to do what, and who was refused; newest first.',
  access: 'operator',
  noted: 'first',
  params: z.object({
    refused: Flag.describe('only what was refused'),
    agent: PeerWord.optional().describe('only what this agent did'),
    since: z.string().max(40).optional().describe('ISO 8601, or how long ago such as 30m, 24h or 7d'),
    limit: z.int().min(1).max(MOST_LINES).default(50),
  }),
  result: z.object({ lines: z.array(AuditLine) }),
  example: {
    params: { refused: false, limit: 1 },
    result: {
      lines: [
        {
          at: '2026-11-16T09:30:00.000000Z',
          outcome: 'allowed',
          caller: 'peer',
          agentId: EXAMPLE.agentId,
          credential: '9f86d081',
          from: '127.0.0.1',
          what: 'cacp/contract/sync',
          projectId: EXAMPLE.projectId,
          ids: [EXAMPLE.contractId],
          requestId: 'k3x9-1f',
        },
      ],
    },
  },
}).serve(({ audit }, { refused, agent, since, limit }, { env }) => {
  const query = { refused, agentId: agent, since: since === undefined ? undefined : begin(since, env), limit }
  return audit.list(query).then((lines) => ({ lines: [...lines] }))
})

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

function begin(since: string, { now }: Env): Stamp {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(since) ?? []
  const begin =
    count === undefined ? parseStamp(since) : addMicros(now, -Number(count) * (SECONDS[unit] ?? 0) * 1e6)
  if (begin !== undefined) return begin
  throw wrongField(
    'since',
    'must be an ISO 8601 time such as 2026-11-16T09:00:00Z, or how long ago such as 24h',
  )
}
