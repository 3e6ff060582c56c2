import { METHODS } from '../../methods/table.ts'
import { mapValues } from '../../protocol/collections/map-values.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { IDS, type KnownNames, withNames } from '../derive/known-names.ts'
import { shortCommand } from '../derive/short-command.ts'
import { commandLine } from './command-line.ts'
import { quoted, sameDaemon } from './shell-word.ts'

/** Which daemon is asked, and as whom. */
export interface DaemonAsked {
  readonly agentId?: string | undefined
  readonly data?: string | undefined
}

/** How the program is called in the line, and the names of things in it. */
interface LineWording {
  readonly self: string
  readonly names?: KnownNames
}

/** A call as a line to paste; what is for the reader to decide or to write stands there as an example only. */
export function nextLine(
  call: NextCall,
  { agentId, data }: DaemonAsked,
  { self, names = IDS }: LineWording,
): string {
  const named = withNames(call, names)
  const short = shortCommand(named, names)
  const line = short === undefined ? methodLine(named, self) : [self, ...short.words.map(quoted)].join(' ')
  const acting = agentId === undefined ? '' : ` --agent-id ${quoted(agentId)}`
  const { fill = [] } = short ?? call
  return `${line}${acting}${sameDaemon({ data })}${fill.length === 0 ? '' : `   # yours: ${fill.join(', ')}`}`
}

function methodLine({ method, params }: NextCall, self: string): string {
  const row = METHODS.find(({ name }) => name === method)
  return row === undefined ? method : commandLine(row, filled(params), { self })
}

/** An option without a word would be none. */
const filled = (params: NextCall['params']): NextCall['params'] =>
  mapValues(params, (value) => (Array.isArray(value) && value.length === 0 ? [PLACEHOLDER] : value))
