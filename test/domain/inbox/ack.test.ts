import { describe, expect, test } from 'vitest'
import { acknowledge, MOST_ACKED } from '../../../src/domain/inbox/ack.ts'
import type { Acked } from '../../../src/domain/model.ts'
import { at } from '../builders.ts'

const AGENT = 'aid://example.com/a@1.0.0'
const acked = (...ids: string[]): Acked => ({
  agent_id: AGENT,
  items: ids.map((id) => ({ id, state: 'as it was', at: at(0) })),
})
const now = (id: string, undo = false) => ({
  agentId: AGENT,
  item: { id, state: 'as it is' },
  undo,
  now: at(1),
})

describe('what an agent has hidden', () => {
  test('is kept as long as it is there and has not changed', () => {
    const states: Record<string, string> = { same: 'as it was', changed: 'as it is' }
    const stateOf = (id: string) => states[id]
    expect(acknowledge(acked('same', 'changed', 'gone'), { ...now('new'), stateOf }).items).toEqual([
      { id: 'same', state: 'as it was', at: at(0) },
      { id: 'new', state: 'as it is', at: at(1) },
    ])
  })

  test('has each item once, and none that is to be shown again', () => {
    const stateOf = () => 'as it was'
    expect(acknowledge(acked('a', 'b'), { ...now('a'), stateOf }).items.map(({ id }) => id)).toEqual([
      'b',
      'a',
    ])
    expect(acknowledge(acked('a', 'b'), { ...now('a', true), stateOf }).items.map(({ id }) => id)).toEqual([
      'b',
    ])
    expect(acknowledge(undefined, { ...now('a', true), stateOf }).items).toEqual([])
  })

  test('is bounded; whoever is at the bound can still show something again', () => {
    const full = acked(...Array.from({ length: MOST_ACKED }, (_, index) => `item ${index}`))
    const stateOf = () => 'as it was'
    expect(() => acknowledge(full, { ...now('one more'), stateOf })).toThrow(/has hidden 500 items already/)
    expect(acknowledge(full, { ...now('item 7'), stateOf }).items).toHaveLength(MOST_ACKED)
    expect(acknowledge(full, { ...now('item 7', true), stateOf }).items).toHaveLength(MOST_ACKED - 1)
  })
})
