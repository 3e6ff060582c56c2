import * as z from 'zod'
import { compareText } from '../../protocol/json/canonical.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import type { LocalChange } from '../change.ts'
import type { View } from '../view.ts'
import type { ApiKey } from './trust.ts'

const PREFIX = 'cacp_sk_live_'

/** The prefix, and 32 random bytes in base64url. */
export const ApiKeyText = z
  .string()
  .regex(/^cacp_sk_live_[A-Za-z0-9_-]{43}$/, `must be ${PREFIX} and 43 characters in base64url`)

export const apiKeyOf = (secret: string): string => PREFIX + secret

/** What is stored of an API key or an invite's secret. Both are random and long, so that no slow hash is needed. */
export const hashOfSecret = (secret: string): string => sha256(secret)

export const isLive = ({ retires_at }: ApiKey, now: Stamp): boolean => retires_at === null || retires_at > now

/** Oldest first. */
export function keysOf(view: View, agentId: string): ApiKey[] {
  return [...view.keys.oldestFirst()].filter((key) => key.agent_id === agentId).sort(byAge)
}

const byAge = (a: ApiKey, b: ApiKey): number =>
  compareText(a.created_at, b.created_at) || compareText(a.hash, b.hash)

/** When a key that is replaced now stops working, if the newer one is never used. */
export const retirementFrom = (now: Stamp): Stamp => addMicros(now, LIMITS.keyOverlapSeconds * 1_000_000)

/**
 * Issues another key for an agent. Earlier keys keep working, because the agent may never receive this one: the
 * oldest, which it used last, and the newest few that were sent since.
 */
export function issueKey(view: View, { hash, agentId }: KeyToIssue, now: Stamp): LocalChange[] {
  const earlier = keysOf(view, agentId).filter((key) => isLive(key, now) && key.hash !== hash)
  const kept = new Set([...earlier.slice(0, 1), ...earlier.slice(1).slice(-(LIMITS.liveKeys - 2))])
  const gone = keysOf(view, agentId).filter((key) => !kept.has(key) && key.hash !== hash)
  const value: ApiKey = { hash, agent_id: agentId, created_at: now, retires_at: null }
  return [...gone.map(withoutKey), { table: 'key', id: hash, value }]
}

interface KeyToIssue {
  readonly hash: string
  readonly agentId: string
}

/** The agent has received this key: it stays, and the others retire after a while. */
export function retireOthers(view: View, { hash, agentId }: KeyToIssue, now: Stamp): LocalChange[] {
  const retirement = retirementFrom(now)
  const endOf = ({ retires_at }: ApiKey) =>
    retires_at === null || retires_at > retirement ? retirement : retires_at
  return keysOf(view, agentId)
    .map((key) => ({ ...key, retires_at: key.hash === hash ? null : endOf(key) }))
    .map((value) => ({ table: 'key', id: value.hash, value }))
}

/** The agent used the key whose hash starts so: its older keys are removed. */
export function settleOn(view: View, agentId: string, hashBegin: string): LocalChange[] {
  const keys = keysOf(view, agentId)
  const used = keys.findIndex(({ hash }) => hash.startsWith(hashBegin))
  return keys.slice(0, Math.max(used, 0)).map(withoutKey)
}

/** Removes the keys of an agent and the key that it gave to this daemon. */
export function withoutKeys(view: View, agentId: string): LocalChange[] {
  const credential: LocalChange[] =
    view.credentials.get(agentId) === undefined ? [] : [{ table: 'credential', id: agentId, value: null }]
  return [...keysOf(view, agentId).map(withoutKey), ...credential]
}

const withoutKey = ({ hash }: ApiKey): LocalChange => ({ table: 'key', id: hash, value: null })
