import * as z from 'zod'
import { jsonIn } from '../json/in.ts'
import { Name } from '../words.ts'
import { Aid } from './aid.ts'

/** A program and its arguments, separately: no shell reads them. */
const Command = z.array(z.string().min(1).max(10_000)).min(1).max(100)

/** The agent behind the daemon, as `agent` in config.json describes it. */
export const AgentSettings = settingOf(
  z.strictObject({
    /** The command for all work that has no command of its own and is not built in, including questions. */
    command: Command.optional(),
    /** By type of work. */
    commands: z.record(Name, Command).default({}),
    /** The format of its standard output: the answer, or run events as lines of JSON. */
    output: z.enum(['text', 'events']).default('text'),
    /** Agents besides the operator that may start it. */
    allow: z.array(Aid).max(1000).default([]),
    concurrency: z.int().min(1).max(64).default(2),
    /** Memory limit for all its processes together, where the system supports it; a request's hint may lower it. */
    maxMemoryMb: z.int().min(1).optional(),
  }),
)
  .prefault({})
  .describe(
    'an object such as {"command": ["my-agent", "--print"]}, with any of command, commands, output ("text" or "events"), allow (agent IDs), concurrency (1 to 64), maxMemoryMb',
  )
export type AgentSettings = z.output<typeof AgentSettings>

/** A setting as an object, or as JSON text, which environment variables contain; `become` reads its short forms. */
export function settingOf<Schema extends z.ZodType>(
  schema: Schema,
  become: (given: unknown) => unknown = (given) => given,
) {
  return z.preprocess((value) => {
    const parsed = typeof value === 'string' ? jsonIn(value) : undefined
    return become(parsed === undefined ? value : parsed)
  }, schema)
}

export const hasCommand = ({ command, commands }: AgentSettings): boolean =>
  command !== undefined || Object.keys(commands).length > 0
