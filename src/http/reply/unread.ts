import type { ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Visitor } from '../guard/visitor.ts'
import { whenClosed } from '../server/connections.ts'

export interface UnreadLimits {
  /** Bytes of answers that wait in memory to be read: of one caller, and of all callers. */
  readonly unreadBytesPerCaller: number
  readonly unreadBytes: number
  /** How long a connection may take nothing of what waits for it. */
  readonly unreadSeconds: number
}

/** What one caller has asked for and not read yet. */
interface Account {
  readonly callerKey: string
  readonly kept: KeptTexts
  /** The longest waiting first. */
  readonly holds: Set<Hold>
}

interface Hold {
  readonly response: ServerResponse
  release(): void
}

interface HeldTexts {
  /** To be written in the place of those that were given. */
  readonly texts: readonly string[]
  release(): void
}

const entered = new WeakMap<ServerResponse, { readonly unread: Unread; readonly callerKey: string }>()

export type Unread = ReturnType<typeof createUnread>

/**
 * Keeps account of the answers that wait to be read. Whoever leaves too much unread is refused more. Where all
 * callers together leave too much, the one with the most of it loses the answer that has waited longest.
 */
export function createUnread({ unreadBytesPerCaller, unreadBytes, unreadSeconds }: UnreadLimits) {
  const all = new KeptTexts()
  const accounts = new Map<string, Account>()

  function hold(response: ServerResponse, account: Account, drop: () => void): () => void {
    const held: Hold = {
      response,
      release: () => {
        if (!account.holds.delete(held)) return
        forget()
        drop()
        if (account.holds.size === 0) accounts.delete(account.callerKey)
      },
    }
    account.holds.add(held)
    const forget = whenClosed(response.req.socket, held.release)
    makeRoom(held)
    return held.release
  }

  function accountOf(callerKey: string): Account {
    return getOrAdd(accounts, callerKey, () => ({ callerKey, kept: new KeptTexts(), holds: new Set() }))
  }

  /** The newest answer stays: whoever it is for has had no time to read it. */
  function makeRoom(newest: Hold): void {
    while (all.bytes > unreadBytes) {
      const [oldest] = largest()?.holds ?? []
      if (oldest === undefined || oldest === newest) return
      oldest.release()
      oldest.response.req.socket.destroy()
    }
  }

  function largest(): Account | undefined {
    let found: Account | undefined
    for (const account of accounts.values())
      if (found === undefined || account.kept.bytes > found.kept.bytes) found = account
    return found
  }

  function tooMuch(response: ServerResponse, { bytes, limit, isMade = false }: TooMuch): Fault {
    response.setHeader('retry-after', unreadSeconds)
    return new Fault(
      'rate_limited',
      `${isMade ? 'The call was made, but its answer is not kept for you' : 'Too much is unread'}: ${bytes} bytes of earlier answers wait for you to read them`,
      {
        next: `Read them or close their connections, then come again${isMade ? ', with a write by its idempotency key' : ''}; connections that take nothing are closed after ${unreadSeconds} s`,
        data: { limit, unreadBytes: bytes, retryAfterSeconds: unreadSeconds },
      },
    )
  }

  const unread = {
    /** Bytes that wait, for all callers. */
    get bytes(): number {
      return all.bytes
    },
    /** When it is known who asks, and before anything is done for it. */
    admit(caller: Caller, visitor: Visitor, response: ServerResponse): void {
      const callerKey = keyOf(caller, visitor)
      entered.set(response, { unread, callerKey })
      const bytes = accounts.get(callerKey)?.kept.bytes ?? 0
      if (bytes >= unreadBytesPerCaller) throw tooMuch(response, { bytes, limit: 'unreadBytesPerCaller' })
    },
    /** A caller that has nothing unread gets any answer; others only what fits beside what they have. */
    assertRoom(callerKey: string, response: ServerResponse, texts: readonly string[]): void {
      const own = accounts.get(callerKey)
      if (own === undefined || own.kept.bytes === 0) return
      const { bytes } = own.kept
      if (bytes + own.kept.growthBy(texts) > unreadBytesPerCaller)
        throw tooMuch(response, { bytes, limit: 'unreadBytesPerCaller', isMade: true })
      if (all.bytes + all.growthBy(texts) > unreadBytes && largest() === own)
        throw tooMuch(response, { bytes, limit: 'unreadBytes', isMade: true })
    },
    /** Keeps texts to be read, each once for all callers. */
    holdTexts(callerKey: string, response: ServerResponse, texts: readonly string[]): HeldTexts {
      const account = accountOf(callerKey)
      const shared = texts.map((text) => account.kept.add(all.add(text)))
      const release = hold(response, account, () => {
        for (const text of shared) {
          account.kept.drop(text)
          all.drop(text)
        }
      })
      return { texts: shared, release }
    },
    /** Counts bytes that a connection has of its own. */
    holdBytes(callerKey: string, response: ServerResponse, bytes: number): () => void {
      const account = accountOf(callerKey)
      const count = (more: number) => {
        account.kept.bytes += more
        all.bytes += more
      }
      count(bytes)
      return hold(response, account, () => count(-bytes))
    },
  }
  return unread
}

interface TooMuch {
  readonly bytes: number
  readonly limit: 'unreadBytes' | 'unreadBytesPerCaller'
  /** What was asked for has been done already. */
  readonly isMade?: boolean
}

/** Those who need no key are told apart by where they call from. */
const keyOf = ({ kind, agentId, credential = '' }: Caller, { address }: Visitor): string =>
  kind === 'anonymous' || kind === 'open' ? `${kind} ${address}` : `${kind} ${agentId} ${credential}`

export function assertRoomFor(response: ServerResponse, texts: readonly string[]): void {
  const found = entered.get(response)
  found?.unread.assertRoom(found.callerKey, response, texts)
}

/** Keeps texts for the reader of this response until it is said that they are out, or it has gone. */
export function holdTexts(response: ServerResponse, texts: readonly string[]): HeldTexts {
  const found = isOpen(response) ? entered.get(response) : undefined
  return found?.unread.holdTexts(found.callerKey, response, texts) ?? { texts, release: () => {} }
}

/** The same for bytes that its connection has of its own. */
export function holdBytes(response: ServerResponse, bytes: number): () => void {
  const found = isOpen(response) ? entered.get(response) : undefined
  return found?.unread.holdBytes(found.callerKey, response, bytes) ?? (() => {})
}

/** There is no connection any more if the request was broken off. */
function isOpen({ req }: ServerResponse): boolean {
  const socket = req.socket as typeof req.socket | null
  return socket !== null && !socket.destroyed
}

/** What is kept for somebody to read. Texts that are equal are kept once, however many read them. */
class KeptTexts {
  readonly #texts = new Map<string, { readonly text: string; readonly bytes: number; readers: number }>()
  /** With those that nobody shares. */
  bytes = 0

  growthBy(texts: readonly string[]): number {
    let bytes = 0
    for (const text of new Set(texts)) if (!this.#texts.has(text)) bytes += Buffer.byteLength(text)
    return bytes
  }

  /** Answers the one that is kept of those that are equal. */
  add(text: string): string {
    const kept = this.#texts.get(text) ?? { text, bytes: Buffer.byteLength(text), readers: 0 }
    if (kept.readers++ === 0) {
      this.#texts.set(text, kept)
      this.bytes += kept.bytes
    }
    return kept.text
  }

  drop(text: string): void {
    const kept = this.#texts.get(text)
    if (kept === undefined || --kept.readers > 0) return
    this.#texts.delete(text)
    this.bytes -= kept.bytes
  }
}
