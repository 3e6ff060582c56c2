import { describe, expect, test } from 'vitest'
import { readRoute, writeRoute } from '../../src/ui/router/route.ts'

describe('the address of a page', () => {
  test.each([
    ['', { screen: 'inbox', ids: [], query: {} }],
    ['contracts', { screen: 'contracts', ids: [], query: {} }],
    ['contracts/', { screen: 'contracts', ids: [], query: {} }],
    ['c/p1/c1', { screen: 'contract', ids: ['p1', 'c1'], query: {} }],
    ['runs/r%2F1', { screen: 'runs', ids: ['r/1'], query: {} }],
  ])('%j is read', (path, route) => {
    expect(readRoute(path, '')).toEqual(route)
  })

  test.each(['nowhere', 'c/p1', 'c/p1/c1/x', 'c//c1', 'c/%zz/c1', 'contracts/x'])('%j is no page', (path) => {
    expect(readRoute(path, '')).toBeUndefined()
  })

  test('says how the page is shown', () => {
    const route = readRoute('c/p1/c1', '?v=2..4&diff=split')
    expect(route?.query).toEqual({ v: '2..4', diff: 'split' })
  })

  test.each([
    { screen: 'inbox', ids: [], query: {} },
    { screen: 'contract', ids: ['a/b', 'ü?#&'], query: { v: '1..2', q: 'a b&c=%' } },
    { screen: 'thread', ids: ['p', 'q'], query: {} },
  ] as const)('that is written is read as the same: %j', (route) => {
    const [path = '', search = ''] = writeRoute(route).split('?')
    expect(readRoute(path, search)).toEqual(route)
  })

  test('leaves out what is empty', () => {
    expect(writeRoute({ screen: 'contracts', query: { q: '', status: undefined, type: 'custom' } })).toBe(
      'contracts?type=custom',
    )
  })
})
