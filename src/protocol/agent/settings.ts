import { z } from 'zod'
import { Name } from '../words.ts'
import { Aid } from './aid.ts'

/** A program and its arguments, one by one: no shell ever sees them. */
const Command = z.array(z.string().min(1).max(10_000)).min(1).max(100)

/** The agent behind the daemon, as `agent` in config.json describes it. */
export const AgentSettings = z
  .preprocess(
    fromText,
    z.strictObject({
      /** Does all work that has no command of its own and is not built in; questions too. */
      command: Command.optional(),
      /** By the type of work. */
      commands: z.record(Name, Command).default({}),
      /** What its standard output is: the answer, or run events as lines of JSON. */
      output: z.enum(['text', 'events']).default('text'),
      /** Agents that may have it run, besides the operator. */
      allow: z.array(Aid).max(1000).default([]),
      concurrency: z.int().min(1).max(64).default(2),
      /** Of all its processes together, where the system tells; a hint of the asker may say less. */
      maxMemoryMb: z.int().min(1).optional(),
    }),
  )
  .prefault({})
  .describe(
    'an object such as {"command": ["my-agent", "--print"]}, with any of command, commands, output ("text" or "events"), allow (agent IDs), concurrency (1 to 64), maxMemoryMb',
  )
export type AgentSettings = z.output<typeof AgentSettings>

/** The environment brings JSON text. */
export function fromText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

export const hasCommand = ({ command, commands }: AgentSettings): boolean =>
  command !== undefined || Object.keys(commands).length > 0
