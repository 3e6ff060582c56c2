import * as z from 'zod'
import { plainJson } from '../../domain/names/quoted.ts'
import type { AnyMethod } from '../../methods/row.ts'
import { Fault } from '../../protocol/fault.ts'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { AGENT_METHODS } from '../agent-methods.ts'
import { within } from '../text.ts'
import { tool } from '../tool.ts'
import { EXAMPLE_PROJECT } from './ids.ts'

export const anyCall = tool({
  name: 'call',
  title: 'Call any method',
  description:
    'Call a method that has no tool of its own, for example cacp/contract/list, cacp/contract/resolve, cacp/file/request, cacp/project/addRepo. Without method: lists all. With help: shows the params of one. What only a person may decide (peers, keys, invites) is refused.',
  hints: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  input: z.strictObject({
    method: z.string().optional(),
    params: FreeObject.optional(),
    help: z.boolean().optional(),
  }),
  example: { method: 'cacp/contract/list', params: { projectId: EXAMPLE_PROJECT } },
  run: async ({ method, params = {}, help }, { call }) => {
    if (method === undefined) return [...AGENT_METHODS.values()].map(lineOf).join('\n')
    const row = AGENT_METHODS.get(method)
    if (help === true && row !== undefined) return helpFor(row)
    try {
      const result = await call(method, params)
      return within(plainJson(result), 'Ask for less, with limit or cursor if the method has them')
    } catch (error) {
      throw withExample(error, row)
    }
  },
})

const lineOf = ({ name, summary }: AnyMethod): string => `${name}: ${summary}`

function helpFor(row: AnyMethod): string {
  const { $schema: _, ...params } = z.toJSONSchema(row.params, { io: 'input', unrepresentable: 'any' })
  return `${lineOf(row)}\nparams: ${JSON.stringify(params)}\nexample: ${exampleOf(row)}`
}

const exampleOf = ({ name, example }: AnyMethod): string =>
  `call ${JSON.stringify({ method: name, params: example.params as JsonObject })}`

/** For invalid params an example helps more than a reference to their description. */
function withExample(error: unknown, row: AnyMethod | undefined): unknown {
  const { kind, message } = error as { kind?: string; message: string }
  if (row === undefined || kind !== 'invalid_params' || !message.startsWith('Invalid params')) return error
  return new Fault('invalid_params', message, { next: exampleOf(row), cause: error })
}
