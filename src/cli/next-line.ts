import type { NextCall } from '../domain/inbox-item.ts'
import { METHODS } from '../methods/table.ts'
import { PLACEHOLDER } from '../protocol/placeholder.ts'
import { commandLine } from './command-line.ts'
import { quoted, sameDaemon } from './shell-word.ts'

/** Which daemon is asked, and as whom. */
export interface Asked {
  readonly agentId?: string | undefined
  readonly data?: string | undefined
}

/** A call as a line to paste; what is for the reader to decide or to write stands there as an example only. */
export function nextLine(
  { method, params, fill = [] }: NextCall,
  { agentId, data }: Asked,
  self: string,
): string {
  const row = METHODS.find(({ name }) => name === method)
  const line = row === undefined ? method : commandLine(row, filled(params), { self })
  const acting = agentId === undefined ? '' : ` --agent-id ${quoted(agentId)}`
  return `${line}${acting}${sameDaemon({ data })}${fill.length === 0 ? '' : `   # yours: ${fill.join(', ')}`}`
}

/** An option without a word would be none. */
const filled = (params: NextCall['params']): NextCall['params'] =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      Array.isArray(value) && value.length === 0 ? [PLACEHOLDER] : value,
    ]),
  )
