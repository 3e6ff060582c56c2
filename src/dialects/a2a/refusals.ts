import { mapValues } from '../../protocol/collections/map-values.ts'
import { FAULTS, Fault, type FaultKind, type FaultOptions } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { CACP_EXTENSION } from './extension.ts'
import type { A2aVersion } from './versions.ts'

/** The refusals that A2A has words of its own for. */
const REASONS = {
  TASK_NOT_FOUND: { code: -32001, kind: 'not_found' },
  TASK_NOT_CANCELABLE: { code: -32002, kind: 'conflict' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, kind: 'invalid_request' },
  UNSUPPORTED_OPERATION: { code: -32004, kind: 'invalid_request' },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { code: -32007, kind: 'not_found' },
  VERSION_NOT_SUPPORTED: { code: -32009, kind: 'invalid_request' },
} as const satisfies Record<string, { code: number; kind: FaultKind }>

type Reason = keyof typeof REASONS

/** Where A2A has another code than JSON-RPC for a way in which a call can fail. */
const CODES: Partial<Record<FaultKind, number>> = {
  not_found: REASONS.TASK_NOT_FOUND.code,
  conflict: REASONS.UNSUPPORTED_OPERATION.code,
  unsupported_work_type: REASONS.UNSUPPORTED_OPERATION.code,
  internal: -32603,
}

export function refused(
  reason: Reason,
  message: string,
  { data = {}, ...options }: FaultOptions = {},
): Fault {
  return new Fault(REASONS[reason].kind, message, { ...options, data: { ...data, reason } })
}

export const noExtendedCard = (version: A2aVersion): Fault =>
  refused(
    version === '0.3' ? 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' : 'UNSUPPORTED_OPERATION',
    'There is no extended card: the public one tells all',
  )

/** The fields of a run, with the names of A2A for them: callers do not know ours. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  request_id: 'message.messageId',
  session_id: 'message.contextId',
  work_type: `message.metadata.${CACP_EXTENSION}.workType`,
  work_type_requested: 'workType',
  supported_types: 'supported',
  runId: 'taskId',
}
const INNER_NAME = new RegExp(`\\b(?:${Object.keys(OWN_NAMES).join('|')})\\b`, 'g')

const inOwnNames = (text: string): string => text.replace(INNER_NAME, (name) => OWN_NAMES[name] ?? name)

/** The same fault, with A2A's names for the fields that it is about. */
export function inA2aWords({ kind, message, next, data, cause }: Fault): Fault {
  const field = kind === 'unsupported_work_type' ? 'work_type' : data['field']
  const renamed = Object.entries(data).map(([key, value]) => [OWN_NAMES[key] ?? key, value])
  return new Fault(kind, inOwnNames(message), {
    ...(next === undefined ? {} : { next: inOwnNames(next) }),
    data: {
      ...Object.fromEntries(renamed),
      ...(typeof field === 'string' ? { field: inOwnNames(field) } : {}),
    },
    cause,
  })
}

/** Version 1.0 wants the details as a list of typed objects whose values are texts, 0.3 as any object. */
export function errorOf(fault: Fault, version: A2aVersion) {
  const { reason, ...details } = fault.details
  const own = reason as Reason | undefined
  const code = own === undefined ? (CODES[fault.kind] ?? FAULTS[fault.kind].rpc) : REASONS[own].code
  const { message } = fault
  if (version === '0.3') return { code, message, data: details as JsonObject }
  const metadata = mapValues(details, (value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: own ?? reasonOf(code) ?? fault.kind.toUpperCase(),
    domain: 'a2a-protocol.org',
    metadata,
  }
  return { code, message, data: [info] }
}

const reasonOf = (code: number): string | undefined =>
  Object.entries(REASONS).find(([, row]) => row.code === code)?.[0]
