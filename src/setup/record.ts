import * as z from 'zod'
import { jsonIn } from '../protocol/json/in.ts'
import { AGENT_NAMES, type Agent } from './agents.ts'

const AgentName = z.enum(AGENT_NAMES as [Agent, ...Agent[]])

const Splice = z.object({ at: z.int().nonnegative(), removed: z.string(), inserted: z.string() })

const FileRecord = z.object({
  /** There was no such file before. */
  created: z.boolean(),
  /** The hash of the text as we left it. */
  hash: z.string(),
  /** The changes from the original to what we left; absent where the original is not known for certain. */
  splices: z.array(Splice).optional(),
  /** Objects and lists that had to be made around our entries. */
  made: z.array(z.array(z.union([z.string(), z.number()]))),
})

/** What `cacpd init` did, so that it can be undone byte for byte. */
const SetupRecord = z.object({
  version: z.literal(1),
  agents: z.array(AgentName),
  /** The agents that have hooks too. */
  hooks: z.array(AgentName),
  files: z.record(z.string(), FileRecord),
  /** The folders that did not exist before. */
  folders: z.array(z.string()),
})

export type FileRecord = Readonly<z.infer<typeof FileRecord>>
export type SetupRecord = Readonly<z.infer<typeof SetupRecord>>

export const NO_RECORD: SetupRecord = { version: 1, agents: [], hooks: [], files: {}, folders: [] }

/** Undefined for an unknown format or a later version: our parts are then found by their structure alone. */
export function readRecord(text: string): SetupRecord | undefined {
  const parsed = SetupRecord.safeParse(jsonIn(text))
  return parsed.success ? parsed.data : undefined
}

export const recordText = (record: SetupRecord): string => `${JSON.stringify(record, null, 2)}\n`
