import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describedMethods } from '../../src/describe/openrpc.ts'
import { type Route, type RouteDeps, routes } from '../../src/http/routes/routes.ts'
import { type UiRouteDeps, uiRoutes } from '../../src/http/ui/routes.ts'
import type { AnyMethod } from '../../src/methods/row.ts'
import { FAULTS } from '../../src/protocol/fault.ts'
import { type Answer, isAbout, metIn, paramsFor } from './calls.ts'
import {
  CALLERS,
  type CallerName,
  type Expected,
  HIDDEN_FROM,
  METHOD_TABLE,
  type Met,
  ROUTE_TABLE,
} from './table.ts'
import { type AccessWorld, openWorld } from './world.ts'

const ROWS: readonly AnyMethod[] = describedMethods({ version: '0.0.0' }).methods
const ROUTES: readonly Route[] = [...routes({} as RouteDeps), ...uiRoutes({} as UiRouteDeps)]
const nameOf = ({ verb, path }: Route) => `${verb.toUpperCase()} ${path}`

let world: AccessWorld
beforeAll(async () => {
  world = await openWorld()
}, 30_000)
afterAll(() => world[Symbol.asyncDispose]())

test('the table has a line for every method and every route, and no other', () => {
  expect(Object.keys(METHOD_TABLE).sort()).toEqual(ROWS.map(({ name }) => name).sort())
  expect(Object.keys(ROUTE_TABLE).sort()).toEqual(ROUTES.map(nameOf).sort())
  for (const expected of [...Object.values(METHOD_TABLE), ...Object.values(ROUTE_TABLE)])
    expect(Object.keys(expected).sort()).toEqual([...CALLERS].sort())
})

test('a token reaches exactly the methods that name one project, and only as far as it says', () => {
  for (const { name, permission, params } of ROWS) {
    const isOpen = METHOD_TABLE[name]?.['a token with the permission'] === 'through'
    if (METHOD_TABLE[name]?.nobody === '401')
      expect({ name, isOpen }).toEqual({ name, isOpen: permission !== undefined })
    if (permission !== undefined) expect(Object.keys(params.shape), name).toContain('projectId')
  }
})

/** What the table says, in a project that all may see or in one that is kept among its members. */
function expectedIn(row: Expected, caller: CallerName, isHidden: boolean): Met {
  const met = row[caller]
  const isLetIn = met === 'through' || met === 'not a member'
  return isHidden && isLetIn && HIDDEN_FROM.includes(caller) ? 'hidden' : met
}

describe.each(['all', 'members'] as const)(
  'in a project for %s [cacp-trust-1] [cacp-trust-2] [cacp-trust-3]',
  (visibility) => {
    test.each(CALLERS)('%s', { timeout: 60_000 }, async (name) => {
      const { at, places, headers } = world.callers[name]
      const place = places[visibility]
      const met: Record<string, Met> = {}
      const expected: Record<string, Met> = {}
      for (const row of ROWS) {
        const params = paramsFor(row, place)
        const sent = await headers({ permission: row.permission, projectId: place.projectId })
        const { status, json, headers: answered } = await at.post(call(row, params), sent)
        met[row.name] = metIn(json)
        const isHidden = visibility === 'members' && isAbout(params, place)
        expected[row.name] = expectedIn(METHOD_TABLE[row.name] as Expected, name, isHidden)
        expect({ method: row.name, status }).toEqual({ method: row.name, status: statusOf(json) })
        if (status === 401) expectWayIn(name, json.error.data, answered)
        if (expected[row.name] !== 'through') expect(JSON.stringify(json)).not.toContain('which?')
      }
      expect(met).toEqual(expected)
    })
  },
)

const call = ({ name }: AnyMethod, params: object, id = 1) => ({ jsonrpc: '2.0', id, method: name, params })

function statusOf(json: { error?: { data: { kind: keyof typeof FAULTS } } }): number {
  const kind = json.error?.data.kind
  return kind === 'unauthorized' || kind === 'forbidden' ? FAULTS[kind].http : 200
}

function expectWayIn(name: CallerName, details: object, headers: Record<string, unknown>): void {
  expect(headers['www-authenticate']).toBe('Bearer')
  const way = name.includes('session')
    ? /cacpd ui/
    : /cacpd key.*Authorization: Bearer.*cacpd invite.*cacpd join/
  expect(details).toMatchObject({ kind: 'unauthorized', next: expect.stringMatching(way) })
}

describe('in batches', () => {
  test.each(CALLERS)('%s', { timeout: 60_000 }, async (name) => {
    const { at, places, headers } = world.callers[name]
    const place = places.all
    // A new key ends the session of a person in the midst of the batch.
    const all = ROWS.filter((row) => name !== 'person' || row.name !== 'cacp/identity/rotate')
    for (let first = 0; first < all.length; first += 40) {
      const rows = all.slice(first, first + 40)
      // One token for the whole batch: what it allows is what the first call needs.
      const permission = rows.find((row) => row.permission !== undefined)?.permission
      const sent = await headers({ permission, projectId: place.projectId })
      const body = rows.map((row, index) => call(row, paramsFor(row, place), index))
      const { status, json } = await at.post(body, sent)
      const expected = rows.map((row) => expectedInBatch(row, name, permission))
      const isRefusedWhole = !Array.isArray(json)
      const met = isRefusedWhole ? rows.map(() => metIn(json)) : inOrder(json).map(metIn)
      expect(Object.fromEntries(rows.map((row, index) => [row.name, met[index]]))).toEqual(
        Object.fromEntries(rows.map((row, index) => [row.name, expected[index]])),
      )
      expect(status).toBe(met.includes('401') ? 401 : 200)
    }
  })
})

const inOrder = (answers: ({ id: number } & Answer)[]) => [...answers].sort((a, b) => a.id - b.id)

function expectedInBatch(row: AnyMethod, name: CallerName, permission: AnyMethod['permission']): Met {
  const expected = METHOD_TABLE[row.name] as Expected
  const isTheOne = row.permission === permission
  if (name === 'a token with the permission' && !isTheOne) return expected['a token without the permission']
  if (name === 'a token without the permission' && row.permission !== undefined && !isTheOne)
    return expected['a token with the permission']
  return expected[name]
}

describe('at the routes', () => {
  test.each(CALLERS)('%s', { timeout: 30_000 }, async (name) => {
    const { at, places, headers } = world.callers[name]
    const { all: place } = places
    const met: Record<string, Met> = {}
    for (const route of ROUTES) {
      const sent = await headers({ permission: route.permission, projectId: place.projectId })
      const reply = await at.fetch(pathFor(route), {
        ...requestFor(route),
        headers: { ...requestFor(route).headers, ...sent },
      })
      met[nameOf(route)] = metAt(reply.status, reply.json)
      if (reply.status === 401) expectWayIn(name, detailsOf(reply.json), reply.headers)
      expect(reply.status, nameOf(route)).toBeLessThan(500)
    }
    expect(met).toEqual(Object.fromEntries(Object.entries(ROUTE_TABLE).map(([key, row]) => [key, row[name]])))
  })
})

const pathFor = ({ path }: Route) =>
  // Not one that would go on and on.
  path
    .replace('/events', '/events?since=rubbish')
    .replace(':sha256', '0'.repeat(64))
    .replace(':challenge', 'c'.repeat(43))
    .replace(':codeId', '0'.repeat(64))
    .replace(':name', 'icon.svg')
    .replace('{/*path}', '/c/any/1')

function requestFor({ verb, path }: Route) {
  if (verb !== 'post') return { method: verb === 'get' ? ('GET' as const) : ('DELETE' as const), headers: {} }
  const isFile = path === '/files'
  return {
    method: 'POST' as const,
    headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
    body: isFile ? 'some bytes' : '{}',
  }
}

interface Refused {
  error?: { kind?: string; data?: { kind?: string } }
}

/** Where a route speaks JSON-RPC, they stand in its data. */
const detailsOf = (json: Refused | undefined) => json?.error?.data ?? json?.error ?? {}

function metAt(status: number, json: Refused | undefined): Met {
  if (status === 401) return '401'
  return status === 403 && detailsOf(json).kind === 'forbidden' ? '403' : 'through'
}
