import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import { createRateLimits, type Rates } from '../../../src/http/guard/rate-limits.ts'
import { countedAs, type Visitor } from '../../../src/http/guard/visitor.ts'
import type { AddressClass } from '../../../src/protocol/address-class.ts'
import type { Fault } from '../../../src/protocol/fault.ts'
import { daemon } from '../../support/daemons/daemon.ts'

const FEW: Rates = { ratePerKey: 60, ratePerAddress: 120, ratePerStranger: 60, ratePairing: 30 }

function limitsAt(now = { value: 0 }) {
  const headers: Record<string, unknown> = {}
  const response = { setHeader: (name: string, value: unknown) => (headers[name] = value) } as never
  return {
    now,
    headers,
    response: response as ServerResponse,
    limits: createRateLimits(FEW, () => now.value),
  }
}

const visitor = (address: string, from: AddressClass): Visitor => ({
  address,
  from,
  connection: `${address} 1`,
  isTrusted: false,
})
const caller = (kind: Caller['kind'], agentId = 'aid://a/b@1'): Caller => ({ kind, agentId, repoName: null })

/** How many of 1000 calls are let through. */
function letThrough(call: () => void): number {
  let count = 0
  for (let n = 0; n < 1000; n++) {
    try {
      call()
      count++
    } catch {}
  }
  return count
}

describe('a share of calls', () => {
  const here = visitor('127.0.0.1', 'loopback')
  const there = visitor('198.51.100.7', 'public')

  test('is without end for the operator at this machine, and only there', () => {
    const { limits, response } = limitsAt()
    expect(letThrough(() => limits.admit(caller('operator'), here, response))).toBe(1000)
    expect(letThrough(() => limits.admit(caller('operator'), there, response))).toBe(10)
  })

  test('belongs to a key, wherever it calls from', () => {
    const { limits, response } = limitsAt()
    expect(letThrough(() => limits.admit(caller('peer'), there, response))).toBe(10)
    expect(letThrough(() => limits.admit(caller('peer'), here, response))).toBe(0)
    expect(letThrough(() => limits.admit(caller('peer', 'aid://c/d@1'), there, response))).toBe(10)
  })

  test('belongs to an address where there is no key, and wrong keys count as none', () => {
    const { limits, response } = limitsAt()
    expect(letThrough(() => limits.admit(caller('anonymous'), there, response))).toBe(10)
    expect(letThrough(() => limits.refuse(there, response))).toBe(0)
    expect(letThrough(() => limits.refuse(visitor('198.51.100.8', 'public'), response))).toBe(10)
  })

  test('of a whole address is bounded before anybody looks at keys, except for this machine', () => {
    const { limits, response } = limitsAt()
    expect(letThrough(() => limits.arrive(there, response))).toBe(20)
    expect(letThrough(() => limits.arrive(here, response))).toBe(1000)
  })

  test('that is used up is told with the limit, and when to come again', () => {
    const { limits, response, headers, now } = limitsAt()
    letThrough(() => limits.admitToPairing(there, response))
    const refused = () => limits.admitToPairing(there, response)
    let fault: Fault | undefined
    try {
      refused()
    } catch (error) {
      fault = error as Fault
    }
    expect(fault).toMatchObject({
      kind: 'rate_limited',
      data: { limit: 'ratePairing', retryAfterSeconds: 2 },
    })
    expect(headers['retry-after']).toBe(2)
    now.value += 2000
    expect(refused).not.toThrow()
  })
})

test('all addresses of one IPv6 network count as one, and a mapped IPv4 address as itself', () => {
  expect(countedAs('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(countedAs('2001:db8:1:2::1')).toBe(countedAs('2001:db8:1:2:ffff::1'))
  expect(countedAs('2001:db8:1:3::1')).not.toBe(countedAs('2001:db8:1:2::1'))
  expect(countedAs('::ffff:198.51.100.7')).toBe('198.51.100.7')
  expect(countedAs('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

describe('at a real door', () => {
  const NO_KEY = { authorization: '' }
  const list = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }

  test('strangers are answered 429 as JSON-RPC with Retry-After, and the operator goes on', async () => {
    await using backend = await daemon({ ratePerStranger: 60 })
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => backend.post(list, { authorization: 'Bearer wrong' })),
    )
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10)
    const limited = replies.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(20)
    expect(limited[0]).toMatchObject({
      headers: { 'retry-after': '1' },
      json: {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, data: { kind: 'rate_limited', limit: 'ratePerStranger', retryable: true } },
      },
    })
    expect((await backend.fetch('/health', { headers: NO_KEY })).status).toBe(429)
    for (let n = 0; n < 50; n++) expect((await backend.post(list)).status).toBe(200)
  })

  test('registering without a key is for the patient', async () => {
    await using backend = await daemon({ ratePairing: 60 })
    const register = (n: number) =>
      backend.fetch('/peers/register', {
        method: 'POST',
        headers: { ...NO_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({
          agentId: `aid://a/p${n}@1.0.0`,
          endpoint: 'http://127.0.0.1:1',
          repoName: 'r',
        }),
      })
    const statuses: number[] = []
    for (let n = 0; n < 15; n++) statuses.push((await register(n)).status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10)
    expect(statuses.at(-1)).toBe(429)
    expect((await register(16)).json.error).toMatchObject({ kind: 'rate_limited', limit: 'ratePairing' })
  })
})
