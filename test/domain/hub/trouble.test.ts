import { describe, expect, test } from 'vitest'
import { HUB_TROUBLES, hubFault, troubleIn } from '../../../src/domain/hub/trouble.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { at } from '../statements/at.ts'

describe('trouble with a hub', () => {
  test.each(Object.keys(HUB_TROUBLES) as (keyof typeof HUB_TROUBLES)[])(
    '%s is told by its name, with the next step',
    (kind) => {
      const trouble = troubleIn(hubFault(kind, 'what happened'), at(1))
      expect(trouble).toEqual({ kind, message: 'what happened', next: HUB_TROUBLES[kind].next, since: at(1) })
    },
  )

  test('that has no name keeps its own next step', () => {
    const fault = new Fault('storage_full', 'The disk here is full', { next: 'Free some space' })
    expect(troubleIn(fault, at(1))).toMatchObject({ kind: 'other', next: 'Free some space' })
  })
})
