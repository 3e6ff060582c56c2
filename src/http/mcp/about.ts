import * as z from 'zod'
import type { RouteAbout } from '../../describe/openapi.ts'
import { FreeObject } from '../../protocol/json/json.ts'

const McpMessage = z
  .object({
    jsonrpc: z.literal('2.0'),
    method: z.string(),
    params: FreeObject.optional(),
    id: z.union([z.string(), z.number()]).optional(),
  })
  .meta({ id: 'McpMessage' })

const McpAnswer = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number(), z.null()]),
    result: FreeObject.optional(),
    error: z.object({ code: z.int(), message: z.string(), data: FreeObject.optional() }).optional(),
  })
  .meta({ id: 'McpAnswer' })

export const MCP_ABOUT: RouteAbout = {
  summary: 'Speak the Model Context Protocol over streamable HTTP, for agents.',
  description:
    'In its versions 2025-11-25 and 2026-07-28, without sessions. Tools, resources and prompts are what its own lists say; what only the operator may do is not among them.',
  body: { 'application/json': McpMessage },
  headers: { 'MCP-Protocol-Version': 'The version that was agreed on' },
  answers: {
    200: {
      description: 'The answer, alone or after what was said about its progress',
      contents: { 'application/json': McpAnswer, 'text/event-stream': McpAnswer },
    },
    202: { description: 'It was a notification' },
  },
  refusal: McpAnswer,
}
