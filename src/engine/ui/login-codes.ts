import { hashOfSecret } from '../../domain/trust/keys.ts'
import { dropOldest } from '../../protocol/collections/drop-oldest.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, millisBetween, type Stamp } from '../../protocol/stamp.ts'
import type { Parts } from '../parts.ts'
import type { Clock } from '../ports/ports.ts'
import { sleep } from '../timing/wait-until.ts'

export interface LoginCodesDeps extends Pick<Parts, 'timers' | 'newSecret'> {
  readonly clock: Pick<Clock, 'now'>
}

/** A code by which one session can begin. It is told once; whoever made it follows it by its id. */
export interface LoginCode {
  readonly codeId: string
  readonly code: string
  readonly expiresAt: Stamp
}

/** Who began a session with a code. */
export interface CodeUse {
  readonly sessionId: string
  readonly userAgent: string
  readonly address: string
}

export type CodeState = { readonly status: 'waiting' | 'expired' } | ({ readonly status: 'used' } & CodeUse)

interface Kept {
  readonly expiresAt: Stamp
  isTaken: boolean
  use?: CodeUse
  /** Aborted when it is known who used it. */
  readonly used: AbortController
}

/** Codes live in memory and for a minute; only their hashes are kept. */
export function createLoginCodes({ clock, timers, newSecret }: LoginCodesDeps) {
  /** By the hash of the code, which is its id. */
  const codes = new Map<string, Kept>()

  return {
    create(): LoginCode {
      const code = newSecret()
      const codeId = hashOfSecret(code)
      const expiresAt = addMicros(clock.now(), LIMITS.loginCodeSeconds * 1_000_000)
      codes.set(codeId, { expiresAt, isTaken: false, used: new AbortController() })
      dropOldest(codes, LIMITS.loginCodes)
      return { codeId, code, expiresAt }
    },

    /** Uses a code up, and returns its id; undefined if there is no such code, or it was used, or its time is over. */
    take(code: string): string | undefined {
      const codeId = hashOfSecret(code)
      const kept = codes.get(codeId)
      if (kept === undefined || kept.isTaken || kept.expiresAt <= clock.now()) return undefined
      kept.isTaken = true
      return codeId
    },

    /** Notes who began a session with it, for whoever follows it. */
    noteUse(codeId: string, use: CodeUse): void {
      const kept = codes.get(codeId)
      if (kept === undefined) return
      kept.use = use
      kept.used.abort()
    },

    /** What became of a code; while that is not known, waits for so long at most. */
    async follow(codeId: string, millis: number, gone: AbortSignal): Promise<CodeState> {
      const kept = codes.get(codeId)
      if (kept === undefined)
        throw new Fault('not_found', 'There is no such login code, or no longer', {
          next: 'Make another one with `cacpd ui`',
        })
      const left = Math.min(millis, millisBetween(clock.now(), kept.expiresAt))
      if (left > 0) await sleep(timers, left, AbortSignal.any([kept.used.signal, gone]))
      if (kept.use !== undefined) return { status: 'used', ...kept.use }
      return { status: kept.expiresAt > clock.now() ? 'waiting' : 'expired' }
    },
  }
}
