import type * as z from 'zod'
import { Fault } from '../protocol/fault.ts'
import type { JsonObject } from '../protocol/json/json.ts'
import { fieldFault, readAs } from '../protocol/read-as.ts'

/** What a client may know of a tool before it asks its user. */
interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint?: boolean
  /** Whether it reaches beyond the projects of this daemon and its peers. */
  readonly openWorldHint: boolean
}

export const READS: ToolHints = { readOnlyHint: true, openWorldHint: false }
/** Nothing is lost: earlier versions stay readable. */
export const ADDS: ToolHints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }

export interface Turn {
  /** Ends by itself when the signal is aborted. */
  readonly call: CallMethod
  /** Aborted when the client cancels, or has gone. */
  readonly signal: AbortSignal
}

interface ToolSpec<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly hints: ToolHints
  /** Shown to a caller whose input is invalid. */
  readonly example: z.input<Input>
  /** Compact text with the ids that the next call needs. */
  run(input: z.output<Input>, turn: Turn): Promise<string>
}

/** A tool of any types. */
export interface Tool extends Omit<ToolSpec<z.ZodObject>, 'run' | 'example'> {
  readonly example: object
  /** Takes unchecked arguments and checks them. */
  run(input: unknown, turn: Turn): Promise<string>
}

export function tool<Input extends z.ZodObject>({ run, ...spec }: ToolSpec<Input>): Tool {
  return {
    ...spec,
    run: async (given, turn) => {
      const input = readAs(spec.input, given ?? {}, ({ unknownKeys, ...misfit }) => {
        const field = unknownKeys?.join(', ').slice(0, 200)
        const problem = 'there is no such argument'
        return fieldFault(field === undefined ? misfit : { field, problem, isMissing: false }, {
          whole: '',
          next: () => exampleOf(spec),
        })
      })
      const hints = new Set<string>()
      const noting = { ...turn, call: notingHints(turn.call, hints) }
      try {
        const text = await run(input, noting)
        const untold = [...hints].filter((hint) => !text.includes(hint))
        return [text, ...untold.map((hint) => `note: ${hint}`)].join('\n')
      } catch (error) {
        throw withExample(error, spec)
      }
    },
  }
}

/** Every write may return a hint, which every tool passes on. */
function notingHints(call: CallMethod, hints: Set<string>): CallMethod {
  return async (method, params, options) => {
    const answer = await call(method, params, options)
    if (typeof answer['hint'] === 'string') hints.add(answer['hint'])
    return answer
  }
}

/** Replaces the advice to look up the method's params by an example call of the tool. */
function withExample(error: unknown, spec: Pick<ToolSpec<z.ZodObject>, 'name' | 'example'>): unknown {
  const { next, message } = error as { next?: string; message: string }
  if (next?.startsWith('See the params of ') !== true) return error
  return new Fault('invalid_params', message, { next: exampleOf(spec), cause: error })
}

const exampleOf = ({ name, example }: { readonly name: string; readonly example: object }): string =>
  `Call ${name} with arguments such as ${JSON.stringify(example)}`

/** The daemon that the tools call, in this process or over a connection. */
export type CallMethod = (
  method: string,
  params: JsonObject,
  /** The signal is aborted when nobody waits for the answer any more. */
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<JsonObject>
