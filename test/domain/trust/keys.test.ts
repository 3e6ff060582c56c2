import { describe, expect, test } from 'vitest'
import type { LocalChange } from '../../../src/domain/change.ts'
import {
  ApiKeyText,
  apiKeyOf,
  hashOfSecret,
  issueKey,
  keysOf,
  retirementFrom,
  retireOthers,
  settleOn,
  withoutKeys,
} from '../../../src/domain/trust/keys.ts'
import type { ApiKey } from '../../../src/domain/trust/trust.ts'
import type { View } from '../../../src/domain/view.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { at, EMPTY_VIEW, orderedTableOf } from '../builders.ts'

const FRONTEND = 'aid://example.com/frontend@1.0.0'
const OTHER = 'aid://example.com/other@1.0.0'

const key = (hash: string, second: number, given: Partial<ApiKey> = {}): ApiKey => ({
  hash,
  agent_id: FRONTEND,
  created_at: at(second),
  retires_at: null,
  ...given,
})

const viewWith = (...keys: ApiKey[]): View => ({
  ...EMPTY_VIEW,
  keys: orderedTableOf(keys, { id: ({ hash }) => hash, created: () => '' }),
})

/** What is left of the keys. */
function leftOf(view: View, changes: readonly LocalChange[]): ApiKey[] {
  const keys = new Map(Array.from(view.keys.oldestFirst(), (one) => [one.hash, one]))
  for (const change of changes) {
    if (change.table !== 'key') continue
    if (change.value === null) keys.delete(change.id)
    else keys.set(change.id, change.value)
  }
  return [...keys.values()]
}

const hashes = (keys: readonly ApiKey[]): string[] => keys.map(({ hash }) => hash).sort()

test('a key is a prefix and 32 random bytes, and its hash tells nothing of it', () => {
  const text = apiKeyOf('A'.repeat(43))
  expect(ApiKeyText.parse(text)).toBe(`cacp_sk_live_${'A'.repeat(43)}`)
  expect(ApiKeyText.safeParse(apiKeyOf('short')).success).toBe(false)
  expect(hashOfSecret(text)).toMatch(/^[0-9a-f]{64}$/)
  expect(hashOfSecret(text)).not.toBe(hashOfSecret(apiKeyOf('B'.repeat(43))))
})

describe('a further key', () => {
  test('works beside the one before it', () => {
    const view = viewWith(key('one', 1))
    expect(hashes(leftOf(view, issueKey(view, { hash: 'two', agentId: FRONTEND }, at(2))))).toEqual([
      'one',
      'two',
    ])
  })

  test('pushes out one of as many as there may be, but not what the agent last called with, and all that have retired', () => {
    const many = Array.from({ length: LIMITS.liveKeys }, (_, index) => key(`key-${index}`, index))
    const view = viewWith(
      ...many,
      key('gone', 0, { retires_at: at(50) }),
      key('other', 0, { agent_id: OTHER }),
    )
    const left = leftOf(view, issueKey(view, { hash: 'new', agentId: FRONTEND }, at(100)))
    expect(hashes(left)).toEqual(['key-0', 'key-2', 'key-3', 'new', 'other'])
  })

  test('that the agent was told of ends the others in a while, and none later than it would end anyway', () => {
    const view = viewWith(key('one', 1), key('two', 2), key('soon', 1, { retires_at: at(4) }))
    const left = leftOf(view, retireOthers(view, { hash: 'two', agentId: FRONTEND }, at(3)))
    expect(Object.fromEntries(left.map(({ hash, retires_at }) => [hash, retires_at]))).toEqual({
      one: retirementFrom(at(3)),
      two: null,
      soon: at(4),
    })
  })

  test('that the agent was told of last stays, also where another one was to take its place', () => {
    const view = viewWith(key('one', 1, { retires_at: at(50) }), key('two', 2))
    const left = leftOf(view, retireOthers(view, { hash: 'one', agentId: FRONTEND }, at(3)))
    expect(Object.fromEntries(left.map(({ hash, retires_at }) => [hash, retires_at]))).toEqual({
      one: null,
      two: retirementFrom(at(3)),
    })
  })

  test('that is used ends the older ones at once, and leaves the newer ones', () => {
    const view = viewWith(key('aa1', 1), key('bb2', 2), key('cc3', 3), key('dd4', 1, { agent_id: OTHER }))
    expect(hashes(leftOf(view, settleOn(view, FRONTEND, 'bb')))).toEqual(['bb2', 'cc3', 'dd4'])
    expect(settleOn(view, FRONTEND, 'aa')).toEqual([])
    expect(settleOn(view, FRONTEND, 'unknown')).toEqual([])
  })
})

test('keys are listed oldest first, and only those of the agent', () => {
  const view = viewWith(key('b', 2), key('a', 3), key('c', 1), key('d', 0, { agent_id: OTHER }))
  expect(keysOf(view, FRONTEND).map(({ hash }) => hash)).toEqual(['c', 'b', 'a'])
})

test('whoever is shut out loses all keys, and we forget the one it gave us', () => {
  const view: View = {
    ...viewWith(key('a', 1), key('b', 2), key('c', 3, { agent_id: OTHER })),
    credentials: orderedTableOf([{ agent_id: FRONTEND, key: 'theirs' }], {
      id: ({ agent_id }) => agent_id,
      created: () => '',
    }),
  }
  const changes = withoutKeys(view, FRONTEND)
  expect(hashes(leftOf(view, changes))).toEqual(['c'])
  expect(changes).toContainEqual({ table: 'credential', id: FRONTEND, value: null })
})
