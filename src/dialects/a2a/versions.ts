import { Fault } from '../../protocol/fault.ts'
import { noExtendedCard, refused } from './refusals.ts'

export const A2A_VERSIONS = ['0.3', '1.0'] as const
export type A2aVersion = (typeof A2A_VERSIONS)[number]

/** What can be called, by the name that each version has for it. */
const A2A_CALLS = {
  send: { '0.3': 'message/send', '1.0': 'SendMessage' },
  stream: { '0.3': 'message/stream', '1.0': 'SendStreamingMessage' },
  get: { '0.3': 'tasks/get', '1.0': 'GetTask' },
  /** Version 0.3 has no such method. */
  list: { '0.3': undefined, '1.0': 'ListTasks' },
  cancel: { '0.3': 'tasks/cancel', '1.0': 'CancelTask' },
  subscribe: { '0.3': 'tasks/resubscribe', '1.0': 'SubscribeToTask' },
  createPush: { '0.3': 'tasks/pushNotificationConfig/set', '1.0': 'CreateTaskPushNotificationConfig' },
  getPush: { '0.3': 'tasks/pushNotificationConfig/get', '1.0': 'GetTaskPushNotificationConfig' },
  listPush: { '0.3': 'tasks/pushNotificationConfig/list', '1.0': 'ListTaskPushNotificationConfigs' },
  deletePush: { '0.3': 'tasks/pushNotificationConfig/delete', '1.0': 'DeleteTaskPushNotificationConfig' },
  extendedCard: { '0.3': 'agent/getAuthenticatedExtendedCard', '1.0': 'GetExtendedAgentCard' },
} as const satisfies Record<string, Record<A2aVersion, string | undefined>>

type A2aCall = keyof typeof A2A_CALLS

interface Named {
  readonly call: A2aCall
  readonly version: A2aVersion
}

const NAMED: ReadonlyMap<string, Named> = new Map(
  Object.entries(A2A_CALLS).flatMap(([call, names]) =>
    A2A_VERSIONS.flatMap((version) => {
      const name = names[version]
      return name === undefined ? [] : [[name, { call: call as A2aCall, version }] as const]
    }),
  ),
)

export const isA2aMethod = (method: string): boolean => NAMED.has(method)

export function isStreaming(method: string): boolean {
  const call = NAMED.get(method)?.call
  return call === 'stream' || call === 'subscribe'
}

/** Whether it starts or ends a task. */
export function changesSomething(method: string): boolean {
  const call = NAMED.get(method)?.call
  return call === 'send' || call === 'stream' || call === 'cancel'
}

/** What is called, in the version that the `A2A-Version` header names; without one it is 0.3, as A2A has it. */
export function calledBy(method: string, header: string | undefined): Named {
  const version = versionNamed(header)
  const named = NAMED.get(method)
  if (named?.version === version) return named
  throw new Fault('method_not_found', `Method not found: A2A ${version} has no ${method.slice(0, 100)}`, {
    ...(named === undefined ? {} : { next: `Send the header A2A-Version: ${named.version}` }),
  })
}

/** Calls that are known only so that they are refused with the error that A2A has for them. */
const REFUSALS = {
  createPush: noPush,
  getPush: noPush,
  listPush: noPush,
  deletePush: noPush,
  extendedCard: noExtendedCard,
} as const satisfies Partial<Record<A2aCall, (version: A2aVersion) => Fault>>

export type OfferedCall = Exclude<A2aCall, keyof typeof REFUSALS>

const isOffered = (call: A2aCall): call is OfferedCall => !Object.hasOwn(REFUSALS, call)

export function offered({ call, version }: Named): OfferedCall {
  if (isOffered(call)) return call
  throw REFUSALS[call](version)
}

export function noPush(version: A2aVersion): Fault {
  const { stream, subscribe, get } = A2A_CALLS
  const supported = [stream, subscribe, get].map((names) => names[version])
  return refused('PUSH_NOTIFICATION_NOT_SUPPORTED', 'Push notifications are not sent', {
    next: `Follow the task with ${supported[0]} or ${supported[1]}, or ask for it again later with ${supported[2]}`,
    data: { supported },
  })
}

/** A patch number after the version is allowed and ignored. */
function versionNamed(header: string | undefined): A2aVersion {
  const given = header?.trim() ?? ''
  if (given === '') return '0.3'
  const short = /^(\d+\.\d+)(?:\.\d+)?$/.exec(given)?.[1]
  const found = A2A_VERSIONS.find((version) => version === short)
  if (found !== undefined) return found
  throw refused('VERSION_NOT_SUPPORTED', `A2A-Version: ${given.slice(0, 50)} is not spoken here`, {
    next: `Use one of ${A2A_VERSIONS.join(', ')}`,
    data: { supported: A2A_VERSIONS },
  })
}

/** The version whose form an error answer has, also for a caller whose version is not supported. */
export const likelyVersion = (header = ''): A2aVersion => (/^\s*(?:0\.|$)/.test(header) ? '0.3' : '1.0')
