import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entityKindOf } from '../../../src/domain/entity.ts'
import { KINDS } from '../../../src/domain/statements/kinds.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { placeOf } from '../../sim/state.ts'
import { anyHistory } from './histories.ts'

const kinds = [...KINDS.values()]
const statementOf = (kind: string) => ({ kind, about: 'a', project_id: 'p', id: 'i', body: {} }) as Statement

describe('every kind of statement', () => {
  test.each(kinds.map(({ name }) => name))('%s belongs to an entity', (kind) => {
    expect(entityKindOf(statementOf(kind), () => false)).not.toBe('other')
  })

  test.each(kinds.map(({ name, family }) => ({ name, family })))(
    '$name is a $family for the simulation, too',
    ({ name, family }) => {
      expect(placeOf(statementOf(name)) === 'i' ? 'fact' : 'register').toBe(family)
    },
  )

  test('comes up in the histories that the laws are held against', () => {
    const made = new Set(
      fc.sample(anyHistory, { numRuns: 500, seed: 1 }).flatMap((history) => history.map(({ kind }) => kind)),
    )
    expect(kinds.map(({ name }) => name).filter((name) => !made.has(name))).toEqual([])
  })
})
