import { isObject } from '../call/fault.ts'

/** That something changed; what it is now has to be asked. */
export interface Change {
  readonly kind: string
  readonly projectId: string
  readonly id: string
  readonly at: string
  /** Who speaks for whom changed: all else in the project may be otherwise, too. */
  readonly isWide: boolean
}

/** What is not shared, and so in no feed: a part of this daemon that looks different now. */
export const LOCAL_PARTS = ['peers', 'runs', 'work', 'invites'] as const
export type LocalPart = (typeof LOCAL_PARTS)[number]

export type StreamEvent =
  | { readonly type: 'snapshot'; readonly cursor: string }
  | { readonly type: 'change'; readonly cursor: string; readonly change: Change }
  | { readonly type: 'local'; readonly part: LocalPart }

/** Undefined for an event that only a newer page understands. */
export function readEvent(text: string): StreamEvent | undefined {
  const event: unknown = JSON.parse(text)
  if (!isObject(event) || !isObject(event['data'])) return undefined
  const { type, data } = event
  if (type === 'dev.cacp.local.changed') {
    const part = LOCAL_PARTS.find((one) => one === data['table'])
    return part && { type: 'local', part }
  }
  const cursor = data['cursor']
  if (typeof cursor !== 'string') return undefined
  if (type === 'dev.cacp.snapshot') return { type: 'snapshot', cursor }
  const { kind, projectId, id, at } = data
  if (typeof kind !== 'string' || typeof projectId !== 'string' || typeof id !== 'string') return undefined
  return {
    type: 'change',
    cursor,
    change: { kind, projectId, id, at: typeof at === 'string' ? at : '', isWide: data['wide'] === true },
  }
}

/** What the screens hear of the stream, whichever tab of this browser reads it. */
export interface News {
  readonly changes: readonly Change[]
  readonly local: readonly LocalPart[]
  /** Something was missed: all that is shown may be otherwise. */
  readonly isEverything: boolean
}
