import { ADP_LIMITS, type ReadManifest } from '../../protocol/agent/adp.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, parseStamp, type Stamp } from '../../protocol/stamp.ts'
import type { Decision } from '../change.ts'
import type { View } from '../view.ts'

export interface RegisteredAgent {
  readonly aid: string
  readonly name: string
  readonly description: string
  /** The JSON text of its manifest, with numbers as they were written, so that everybody can verify its signature. */
  readonly text: string
  /** The key that signed it; null if nobody did, so that nothing in it is verified. */
  readonly key: string | null
  /** The key that it announced as the next one, and from when. */
  readonly next_key: string | null
  readonly next_from: Stamp | null
  /** The time in the signed manifest. An older manifest than the known one is a replay. */
  readonly signed_at: Stamp | null
  readonly registered_at: Stamp
  readonly renewed_at: Stamp
  /** The address that the last registration came from. */
  readonly address: string
}

/** What is known of a registration besides its manifest. */
export interface Sender {
  readonly address: string
  /** Whether the operator of the exchange sent it, who may replace every registration. */
  readonly isOperator: boolean
  /** Whether the manifest's current key signed it. */
  readonly isSigned: boolean
  /** The key that vouched for the current one in signed statements. */
  readonly vouchedBy: string | null
}

interface Attempt {
  readonly sender: Sender
  readonly now: Stamp
}

export interface AgentRegistered {
  readonly agent: RegisteredAgent
  readonly status: 'registered' | 'updated'
  /** The agent whose registration was removed to stay below the limit. */
  readonly displaced: string | null
}

/**
 * Registers an agent, or renews its registration. A signed registration can be renewed by the same key, by the key
 * that it announced, or by one that it vouched for; an unsigned one from the same address.
 */
export function registerAgent(view: View, read: ReadManifest, attempt: Attempt): Decision<AgentRegistered> {
  const { sender, now } = attempt
  const { aid } = read.manifest
  const known = view.agents.get(aid)
  const agent = agentOf(read, known, attempt)
  if (known !== undefined && !sender.isOperator) assertMayReplace(known, agent, attempt)
  const displaced = known === undefined ? roomForOneMore(view, now) : null
  return {
    result: { agent, status: known === undefined ? 'registered' : 'updated', displaced },
    local: [
      ...(displaced === null ? [] : [{ table: 'agent', id: displaced, value: null } as const]),
      { table: 'agent', id: aid, value: agent },
    ],
  }
}

function agentOf(
  { manifest, text }: ReadManifest,
  known: RegisteredAgent | undefined,
  { sender, now }: Attempt,
): RegisteredAgent {
  const keys = sender.isSigned ? manifest.security?.signingKeys : undefined
  return {
    aid: manifest.aid,
    name: manifest.name,
    description: manifest.description ?? '',
    text,
    key: keys?.current ?? null,
    next_key: keys?.next ?? null,
    next_from: parseStamp(keys?.rotationDate ?? '') ?? null,
    signed_at: sender.isSigned ? signedAt(manifest.updatedAt, now) : null,
    registered_at: known?.registered_at ?? now,
    renewed_at: now,
    address: sender.address,
  }
}

function signedAt(updatedAt: string | null | undefined, now: Stamp): Stamp | null {
  const stamp = parseStamp(updatedAt ?? '')
  if (stamp === undefined) return null
  if (stamp <= addMicros(now, LIMITS.clockAheadSeconds * 1_000_000)) return stamp
  throw new Fault('invalid_params', `manifest.updatedAt: ${stamp} is in the future`, {
    next: 'Set the clock of that machine, and sign again',
  })
}

function assertMayReplace(known: RegisteredAgent, agent: RegisteredAgent, attempt: Attempt): void {
  if (known.key === null) {
    if (known.address === attempt.sender.address) return
    throw taken(known.aid, 'without a signature, from another address', 'Register at that address')
  }
  if (agent.key === null) throw taken(known.aid, 'with a signing key', 'Sign the manifest with that key')
  if (agent.key !== known.key) assertMayFollow(known, agent.key, attempt)
  if (known.signed_at !== null && (agent.signed_at ?? '') < known.signed_at)
    throw taken(
      known.aid,
      `with a newer manifest, of ${known.signed_at}`,
      'Sign it again, with updatedAt as of now',
    )
}

function assertMayFollow(known: RegisteredAgent, key: string, { sender, now }: Attempt): void {
  if (known.key !== null && sender.vouchedBy === known.key) return
  if (known.next_key !== key)
    throw taken(
      known.aid,
      'with another signing key',
      'Announce a new key as signingKeys.next, signed by the present one',
    )
  if (known.next_from === null || known.next_from <= now) return
  throw taken(known.aid, `with a key that the next one follows on ${known.next_from}`, 'Wait until then')
}

function taken(aid: string, how: string, next: string): Fault {
  return new Fault('conflict', `${aid} is registered ${how}`, {
    next: `${next}; or ask the operator of the exchange`,
    data: { aid },
  })
}

/** If the limit is reached, removes the unsigned registration that was not renewed for longest, if it is stale. */
function roomForOneMore(view: View, now: Stamp): string | null {
  if (view.agents.size < ADP_LIMITS.agents) return null
  const horizon = addMicros(now, -ADP_LIMITS.staleSeconds * 1_000_000)
  let stalest: RegisteredAgent | undefined
  for (const agent of view.agents.oldestFirst())
    if (agent.key === null && agent.renewed_at < (stalest?.renewed_at ?? horizon)) stalest = agent
  if (stalest !== undefined) return stalest.aid
  throw new Fault('unavailable', `${ADP_LIMITS.agents} agents are registered here, which is the limit`, {
    next: 'Ask the operator of the exchange',
  })
}
