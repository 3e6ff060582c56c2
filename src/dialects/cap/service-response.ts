import * as z from 'zod'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import { namedShape } from '../../protocol/words.ts'

export const ServiceResponse = namedShape('ServiceResponse', {
  request_id: z.uuid(),
  created_at: z.iso.datetime().describe('When it was completed, in UTC'),
  output: FreeObject.describe('What the outputs of the capability describe'),
  metrics: FreeObject.optional().describe('duration_ms, tokens and whatever else the agent measured'),
})

export function serviceResponse(
  { request_id }: Pick<RunRequest, 'request_id'>,
  result: RunResult,
  output: JsonObject,
): JsonObject {
  const metrics = metricsOf(result)
  return {
    request_id,
    created_at: result.ended_at,
    output,
    ...(Object.keys(metrics).length === 0 ? {} : { metrics }),
  }
}

/** Measures that nobody took are absent, not null. */
function metricsOf({ duration_ms, cpu_ms, exit_code, usage }: RunResult): JsonObject {
  const tokens = tokensIn(usage)
  return {
    ...usage,
    ...(duration_ms === null ? {} : { duration_ms }),
    ...(cpu_ms === null ? {} : { cpu_ms }),
    ...(exit_code === null ? {} : { exit_code }),
    ...(tokens === undefined ? {} : { tokens }),
  }
}

function tokensIn(usage: RunResult['usage']): number | undefined {
  const { tokens, total_tokens, input_tokens, output_tokens } = usage
  if (input_tokens === undefined && output_tokens === undefined) return tokens ?? total_tokens
  return tokens ?? total_tokens ?? (input_tokens ?? 0) + (output_tokens ?? 0)
}
