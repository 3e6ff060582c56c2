import { METHODS } from '../../methods/table.ts'
import { mapValues } from '../../protocol/collections/map-values.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { IDS, type KnownNames, withNames } from '../derive/known-names.ts'
import { commandLine } from '../derive/param-options.ts'
import type { CallFlags } from '../form/with-daemon.ts'
import { PLAIN } from '../seat/say.ts'
import { DEFAULT_SECONDS } from '../seat/wait-until.ts'
import { quoted, sameDaemon } from './shell-word.ts'

/** A call as a line to paste; what is for the reader to decide or to write stands there as an example only. */
export function nextLine(
  call: NextCall,
  { agentId, data }: Pick<CallFlags, 'agentId' | 'data'>,
  { self, names = IDS }: { readonly self: string; readonly names?: KnownNames },
): string {
  const named = withNames(call, names)
  const short = SHORT[named.method]?.(named.params, names)
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

interface ShortCommand {
  readonly words: readonly string[]
  /** The parts that the reader has to decide or to write, if any. */
  readonly fill?: readonly string[]
}

/** The command that does the same as a call in fewer words than its method has, where there is one. */
const SHORT: Readonly<Record<string, (params: JsonObject, names: KnownNames) => ShortCommand | undefined>> = {
  'cacp/contract/respond': agreeing,
  'cacp/contract/update': accepting,
  'cacp/context/share': replying,
  'cacp/context/recordDecision': deciding,
  'cacp/inbox/ack': acknowledging,
  'cacp/wait': waiting,
  'cacp/peer/approve': approving,
}

/** Only where it accepts what hurts: an answer is a choice, and its line shows all of that. */
function agreeing(params: JsonObject): ShortCommand | undefined {
  const { projectId, contractId, action, accepts, version, ...others } = params
  if (action !== 'agree' || accepts !== 'all' || Object.keys(others).length > 0) return undefined
  return {
    words: [
      ...['contract', 'agree', text(contractId), '--accepts', 'all'],
      ...option('version', version),
      ...option('project-id', projectId),
    ],
  }
}

function accepting(params: JsonObject, { suggestion }: KnownNames): ShortCommand | undefined {
  const { projectId, contractId, acceptSuggestion, version: _, ...others } = params
  if (typeof acceptSuggestion !== 'string' || Object.keys(others).length > 0) return undefined
  const number = suggestion?.(acceptSuggestion)
  if (number === undefined) return undefined
  const which = number === 'only' ? [] : ['--suggestion', String(number)]
  return { words: ['contract', 'accept', text(contractId), ...which, ...option('project-id', projectId)] }
}

function replying(params: JsonObject, { question }: KnownNames): ShortCommand | undefined {
  const { projectId, type, content, replyTo, ...others } = params
  if (type !== PLAIN || !isJsonObject(content) || Object.keys(others).length > 0) return undefined
  const { answer, message, ...more } = content
  if (typeof replyTo !== 'string' || Object.keys(more).length > 0) return undefined
  const meant = question?.(replyTo) ?? replyTo
  const place = option('project', projectId)
  if (typeof answer === 'string' && message === undefined)
    return { words: ['answer', meant, answer, ...place], fill: ['the answer'] }
  if (typeof message === 'string' && answer === undefined)
    return { words: ['say', message, '--reply-to', meant, ...place], fill: ['the reply'] }
  return undefined
}

/** The option of that name says whom the caller acts as. */
function approving({ agentId }: JsonObject): ShortCommand {
  return { words: ['peers', 'approve', text(agentId)] }
}

function acknowledging({ itemId, ...others }: JsonObject, { item }: KnownNames): ShortCommand | undefined {
  const word = typeof itemId === 'string' ? item?.(itemId) : undefined
  if (word === undefined || Object.keys(others).length > 0) return undefined
  return { words: ['inbox', 'ack', word] }
}

function deciding(params: JsonObject, { question }: KnownNames): ShortCommand | undefined {
  const { projectId, decision: _, chosen, rationale, replyTo, ...others } = params
  const asked = typeof replyTo === 'string' ? question?.(replyTo) : undefined
  if (asked === undefined || Object.keys(others).length > 0) return undefined
  return {
    words: [
      ...['answer', asked, text(chosen), '--decide'],
      ...option('rationale', rationale),
      ...option('project', projectId),
    ],
    fill: ['the answer', 'rationale'],
  }
}

function waiting({ until, timeoutSeconds }: JsonObject): ShortCommand | undefined {
  if (!isJsonObject(until)) return undefined
  const goals = (Array.isArray(until['any']) ? until['any'] : [until]) as readonly JsonObject[]
  const seconds = timeoutSeconds === DEFAULT_SECONDS ? [] : option('timeout', timeoutSeconds)
  const words = waitingForOne(goals) ?? ['wait', 'any', ...goals.map((goal) => JSON.stringify(goal))]
  return { words: [...words, ...seconds] }
}

/** A contract that comes that far, or another version of it, or whichever comes first. */
function waitingForOne(goals: readonly JsonObject[]): readonly string[] | undefined {
  const [first, second, ...others] = goals.map(({ contract }) => contract)
  if (!isJsonObject(first) || others.length > 0) return undefined
  const { projectId, contractId, statusAtLeast, versionAbove } = first
  const words = [
    ...['contract', 'wait', text(contractId)],
    ...(statusAtLeast === 'agreed' ? [] : option('status', statusAtLeast)),
    ...option('version-above', versionAbove),
  ]
  const place = option('project-id', projectId)
  if (second === undefined) return [...words, ...place]
  if (!isJsonObject(second) || second['contractId'] !== contractId || second['statusAtLeast'] !== undefined)
    return undefined
  return [...words, ...option('or-version-above', second['versionAbove']), ...place]
}

const text = (value: JsonObject[string]): string => String(value)

const option = (name: string, value: JsonObject[string]): string[] =>
  value === undefined ? [] : [`--${name}`, text(value)]
