import type { Decision, LocalChange } from '../../domain/change.ts'
import type { View } from '../../domain/view.ts'
import { Fault, wrongField } from '../../protocol/fault.ts'
import { hashOf } from '../../protocol/json/canonical.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { type Stamp, secondsBetween } from '../../protocol/stamp.ts'
import type { RowCall } from './call.ts'

/** The key that a call wants to be remembered by, from the header or from params. */
export function readIdempotencyKey({ idempotencyKey, params }: RowCall): string | undefined {
  const inParams = isJsonObject(params) ? params['idempotencyKey'] : undefined
  const key = inParams ?? idempotencyKey
  if (key === undefined || key === null) return undefined
  if (typeof key !== 'string' || key.length < 1 || key.length > LIMITS.idempotencyKeyLength)
    throw wrongField('idempotencyKey', `must be text of 1 to ${LIMITS.idempotencyKeyLength} characters`)
  return key
}

/**
 * Answers a repeated call from memory, and makes a first one's answer part of the same commit as its effect.
 * A repeat of a call that is still on its way to disk finds the answer too, and waits for the same commit.
 */
export function rememberingAnswer(
  { view, key, call, now }: { view: View; key: string; call: RowCall; now: Stamp },
  decide: () => Decision<unknown>,
): Decision<unknown> {
  const { kind, agentId, person } = call.caller
  const id = hashOf([kind, agentId, ...(person === undefined ? [] : [person.session]), call.row.name, key])
  const paramsHash = hashOf(withoutKey(call.params))
  const known = view.answer(id)
  if (known !== undefined && secondsBetween(known.at, now) < LIMITS.idempotencySeconds) {
    if (known.params_hash === paramsHash) return { result: known.result }
    throw new Fault('idempotency_conflict', `idempotencyKey: ${key} was used before with other params`, {
      next: 'Use a new key for a new call',
      data: { field: 'idempotencyKey' },
    })
  }
  const keep = (result: unknown): LocalChange[] => {
    const value = { key: id, params_hash: paramsHash, result: result as JsonObject, at: now }
    return [{ table: 'answer', id, value }]
  }
  return { ...decide(), keep }
}

function withoutKey(params: unknown): unknown {
  if (!isJsonObject(params)) return null
  const { idempotencyKey: _, ...rest } = params
  return rest
}
