import { describe, expect, test } from 'vitest'
import { type RegisteredAgent, registerAgent, type Sender } from '../../../src/domain/adp/registered-agent.ts'
import type { View } from '../../../src/domain/view.ts'
import { ADP_LIMITS, readManifest } from '../../../src/protocol/agent/adp.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { addMicros, stampOfMillis } from '../../../src/protocol/stamp.ts'
import { AID, plainManifest } from '../../support/network/manifests.ts'
import { EMPTY_VIEW, orderedTableOf } from '../builders.ts'

const NOW = stampOfMillis(Date.parse('2026-11-16T12:00:00Z'))
const STALE = addMicros(NOW, -(ADP_LIMITS.staleSeconds + 1) * 1_000_000)
const READ = readManifest(JSON.stringify(plainManifest()))
const HERE: Sender = { address: '10.0.0.1', isOperator: false, isSigned: false, vouchedBy: null }

const agent = (more: Partial<RegisteredAgent> = {}): RegisteredAgent => ({
  aid: AID,
  name: READ.manifest.name,
  description: READ.manifest.description ?? '',
  text: READ.text,
  key: null,
  next_key: null,
  next_from: null,
  signed_at: null,
  registered_at: NOW,
  renewed_at: NOW,
  address: HERE.address,
  ...more,
})

const holding = (agents: readonly RegisteredAgent[]): View => ({
  ...EMPTY_VIEW,
  agents: orderedTableOf(agents, { id: (one) => one.aid, created: (one) => one.registered_at }),
})

const register = (agents: readonly RegisteredAgent[], sender: Partial<Sender> = {}) =>
  registerAgent(holding(agents), READ, { sender: { ...HERE, ...sender }, now: NOW })

describe('an unsigned registration', () => {
  test('is renewed from the address where it came from, and keeps the time of the first one', () => {
    const { result, local } = register([agent({ registered_at: STALE })])
    expect(result?.status).toBe('updated')
    expect(local).toEqual([{ table: 'agent', id: AID, value: agent({ registered_at: STALE }) }])
  })

  test('is replaced from no other address, unless by the operator', () => {
    const elsewhere = [agent({ address: '10.0.0.2' })]
    expect(() => register(elsewhere)).toThrow(
      `${AID} is registered without a signature, from another address`,
    )
    expect(() => register(elsewhere, { isSigned: true })).toThrow(Fault)
    expect(register(elsewhere, { isOperator: true }).result?.status).toBe('updated')
  })
})

describe('where as many are registered as fit', () => {
  const full = (more: (n: number) => Partial<RegisteredAgent>) =>
    Array.from({ length: ADP_LIMITS.agents }, (_, n) => agent({ aid: `aid://d/a${n}@1.0.0`, ...more(n) }))

  test('the unsigned one that was not renewed for longest gives way', () => {
    const agents = full((n) => ({ renewed_at: n === 5 ? addMicros(STALE, -1) : STALE }))
    const { result, local } = register(agents)
    expect(result?.displaced).toBe('aid://d/a5@1.0.0')
    expect(local?.map(({ id, value }) => [id, value === null])).toEqual([
      ['aid://d/a5@1.0.0', true],
      [AID, false],
    ])
  })

  test.each([
    ['renewed lately', { renewed_at: NOW }],
    ['signed', { renewed_at: STALE, key: 'k' }],
  ])('none that was %s does', (_what, more) => {
    expect(() => register(full(() => more))).toThrow('which is the limit')
  })

  test('those who are registered can renew it all the same', () => {
    expect(register([...full(() => ({ key: 'k' })).slice(1), agent()]).result?.status).toBe('updated')
  })
})
