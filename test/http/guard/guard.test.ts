import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { DEFAULTS } from '../../../src/config/settings.ts'
import type { Caller } from '../../../src/domain/env.ts'
import { createGuard, type GuardDeps } from '../../../src/http/guard/guard.ts'
import { createRateLimits } from '../../../src/http/guard/rate-limits.ts'
import { createUnread } from '../../../src/http/reply/unread.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { daemon } from '../../support/daemons/daemon.ts'

const KEYED: Caller = { kind: 'peer', agentId: 'aid://a/b@1.0.0', repoName: 'b', credential: '0123abcd' }

function guard(found: Caller | Promise<Caller>, deps: Partial<GuardDeps> = {}) {
  const { identify } = createGuard({
    identify: () => found,
    gate: { hosts: new Set(), origins: new Set() },
    limits: createRateLimits(DEFAULTS),
    unread: createUnread(DEFAULTS),
    ...deps,
  })
  return (remoteAddress: string) =>
    identify(
      { headers: {}, socket: { remoteAddress, remotePort: 1 } } as IncomingMessage,
      {} as ServerResponse,
    )
}

describe('who calls', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['192.168.1.7', 'private'],
    ['2606:4700::1', 'public'],
  ])('from %s is known to be at a %s address', async (address, from) => {
    expect(await guard(KEYED)(address)).toEqual({ ...KEYED, from })
    expect(await guard(Promise.resolve(KEYED))(address)).toEqual({ ...KEYED, from })
  })

  test('through something in front of the daemon may be anywhere', async () => {
    expect(await guard(KEYED, { isBehindProxy: true })('127.0.0.1')).toMatchObject({ from: 'public' })
  })

  test('without a key is on this machine, whatever the daemon was told to listen at', async () => {
    const open: Caller = { kind: 'open', agentId: 'aid://a/b@1.0.0', repoName: 'b' }
    const named: Caller = { kind: 'peer', agentId: 'aid://a/b@1.0.0', repoName: 'b' }
    for (const caller of [open, named]) {
      expect(await guard(caller)('127.0.0.1')).toMatchObject({ kind: caller.kind })
      expect(() => guard(caller)('192.168.1.7')).toThrow(Fault)
    }
  })

  test('with a key is not pushed out by strangers any more, others are', async () => {
    const trusted: string[] = []
    const trust = ({ connection }: { connection: string }) => trusted.push(connection)
    await guard(KEYED, { trust })('10.0.0.1')
    await guard({ kind: 'anonymous', agentId: '', repoName: null }, { trust })('10.0.0.2')
    await guard({ kind: 'open', agentId: '', repoName: null }, { trust })('127.0.0.1')
    expect(trusted).toEqual(['10.0.0.1 1'])
  })
})

test('answers tell browsers to make nothing of them', async () => {
  await using backend = await daemon()
  const { headers } = await backend.fetch('/health')
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(headers).not.toHaveProperty('strict-transport-security')
  expect(headers).not.toHaveProperty('x-powered-by')
  const list = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }
  expect((await backend.post(list)).headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
})
