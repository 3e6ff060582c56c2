import { describe, expect, test } from 'vitest'
import {
  readPair,
  usualPair,
  versionName,
  versionNamed,
  withFrom,
  withParent,
  withTo,
  writePair,
} from '../../src/ui/screens/contract/pair.ts'
import { type Contract, type Revision, versionsOf } from '../../src/ui/screens/contract/reading.ts'

const revision = (version: number, id: string, parent: string | null = null) =>
  ({
    version,
    revision: id.repeat(64).slice(0, 64),
    parent: parent?.repeat(64).slice(0, 64) ?? null,
  }) as Revision

const first = revision(1, 'a')
const lost = revision(2, 'b', 'a')
const second = revision(2, 'c', 'a')
const third = revision(3, 'd', 'c')
const versions = [first, lost, second, third]
const LOST = '2~bbbbbbbb'

const contract = (
  over: Partial<Record<'version' | 'responses' | 'inForce' | 'conflicts' | 'head', unknown>> = {},
) => ({ version: 3, responses: [], inForce: null, conflicts: [lost], ...over }) as unknown as Contract

describe('the versions that are compared', () => {
  test.each([
    ['1..3', { from: '1', to: '3' }],
    ['3..1', { from: '3', to: '1' }],
    ['2', { from: undefined, to: '2' }],
    [`${LOST}..2`, { from: LOST, to: '2' }],
  ])('%j of the address are read, and written as they were', (text, pair) => {
    expect(readPair(text, contract(), versions)).toEqual(pair)
    expect(writePair(pair)).toBe(text)
  })

  test.each([
    undefined,
    '',
    '0..1',
    '2..9',
    '2..2',
    '1..',
    '..1',
    'x',
    '1..2..3',
    '-1..2',
    '2~cccccccc',
    '2~b',
  ])('%j says nothing', (text) => {
    expect(readPair(text, contract(), versions)).toBeUndefined()
  })

  test('have a name each, also where a number exists twice', () => {
    const names = versions.map((one) => versionName(one, contract()))
    expect(names).toEqual(['1', LOST, '2', '3'])
    expect(names.map((name) => versionNamed(name, versions, contract()))).toEqual(versions)
  })

  test('have a name each also after the conflict was settled', () => {
    const settling = { ...third, resolves: [lost.revision] }
    const settled = contract({ conflicts: [], head: settling })
    const all = versionsOf(
      settled,
      [first, lost, second].map((one) => ({ ...one, resolves: [] })),
    )
    expect(all.map((one) => versionName(one, settled))).toEqual(['1', LOST, '2', '3'])
    expect(readPair(`${LOST}..3`, settled, all)).toEqual({ from: LOST, to: '3' })
  })

  test('are never one and the same: the other list takes what this one had, or else the newest', () => {
    const names = ['1', LOST, '2', '3']
    expect(withFrom({ from: '2', to: '3' }, '1', names)).toEqual({ from: '1', to: '3' })
    expect(withFrom({ from: '2', to: '3' }, '3', names)).toEqual({ from: '3', to: '2' })
    expect(withFrom({ from: undefined, to: '1' }, '1', names)).toEqual({ from: '1', to: '3' })
    expect(withFrom({ from: undefined, to: '3' }, '3', names)).toEqual({ from: '3', to: '2' })
    expect(withFrom({ from: '2', to: '3' }, undefined, names)).toEqual({ from: undefined, to: '3' })
    expect(withTo({ from: '2', to: '3' }, '2')).toEqual({ from: '3', to: '2' })
    expect(withTo({ from: undefined, to: '1' }, '3')).toEqual({ from: undefined, to: '3' })
  })

  test('are one and what it builds on', () => {
    expect(withParent(third, versions, contract())).toEqual({ from: '2', to: '3' })
    expect(withParent(lost, versions, contract())).toEqual({ from: '1', to: LOST })
    expect(withParent(first, versions, contract())).toEqual({ from: undefined, to: '1' })
  })

  test.each([
    { version: 5, answered: [1, 3], inForce: 4, from: '3', because: 'what this repo answered last' },
    {
      version: 5,
      answered: [5],
      inForce: 4,
      from: '4',
      because: 'what is in force, once the newest is answered',
    },
    { version: 5, answered: [], inForce: null, from: '4', because: 'the version before' },
    { version: 5, answered: [], inForce: 5, from: '4', because: 'the version before it that is in force' },
    { version: 1, answered: [], inForce: null, from: undefined, because: 'nothing' },
  ])('are the newest and $because', ({ version, answered, inForce, from }) => {
    const responses = answered.map((one) => ({ repo_id: 'own', version: one }))
    const shown = contract({ version, responses, inForce: inForce === null ? null : { version: inForce } })
    expect(usualPair(shown, 'own')).toEqual({ from, to: String(version) })
  })
})
