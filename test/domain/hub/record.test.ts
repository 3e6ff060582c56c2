import { describe, expect, test } from 'vitest'
import type { LocalChange } from '../../../src/domain/change.ts'
import {
  type HubRecord,
  hubRecordChange,
  rememberingPublished,
  takenUntil,
} from '../../../src/domain/hub/record.ts'
import type { View } from '../../../src/domain/view.ts'
import { EARLIEST } from '../../../src/protocol/stamp.ts'
import { EMPTY_VIEW, orderedTableOf } from '../builders.ts'
import { at } from '../statements/at.ts'

const PLACE = { stream_id: 'first', sequence: 7 }
const RECORD: HubRecord = { facts: PLACE, registers: PLACE, offered_seq: 3 }

const viewWith = (changes: readonly LocalChange[]): View => {
  const rows = changes.flatMap((one) => (one.table === 'hub' && one.value !== null ? [one.value] : []))
  return { ...EMPTY_VIEW, hubs: orderedTableOf(rows, { id: () => 'hub', created: () => '' }) }
}

describe('what is remembered of a hub', () => {
  test('counts as taken before it is published, and a little further', () => {
    const view = viewWith(rememberingPublished(EMPTY_VIEW, at(10)))
    expect(takenUntil(view) > at(10)).toBe(true)
    expect(rememberingPublished(view, at(11))).toEqual([])
  })

  test('keeps what others may have when positions are saved', () => {
    const before = viewWith(rememberingPublished(EMPTY_VIEW, at(10)))
    const after = viewWith(hubRecordChange(before, RECORD))
    expect(takenUntil(after)).toBe(takenUntil(before))
    expect(after.hubs.get('hub')).toMatchObject(RECORD)
  })

  test('keeps positions when more is published', () => {
    const before = viewWith(hubRecordChange(EMPTY_VIEW, RECORD))
    expect(takenUntil(before)).toBe(EARLIEST)
    expect(viewWith(rememberingPublished(before, at(10))).hubs.get('hub')).toMatchObject(RECORD)
  })
})
