import { expect, test } from 'vitest'
import {
  assertCallIsFor,
  type CallClaims,
  callClaimsIn,
  callTimes,
  carriedHeaders,
  hasRead,
  readIn,
} from '../../../src/domain/hub/call.ts'
import { addMicros, type Stamp } from '../../../src/protocol/stamp.ts'

const NOW = '2026-01-01T12:00:00.000000Z' as Stamp
const later = (seconds: number): Stamp => addMicros(NOW, seconds * 1_000_000)
const CALL: CallClaims = {
  iss: 'aid://example.com/a@1.0.0',
  aud: 'aid://example.com/b@1.0.0',
  boot: 'boot',
  ...callTimes(NOW),
  jti: 'one',
  verb: 'GET',
  path: '/health',
  headers: {},
  sha256: '0'.repeat(64),
}

test('a call is good for its addressee while clocks differ by up to five minutes', () => {
  for (const seconds of [-299, 0, 60, 359]) assertCallIsFor(CALL.aud, CALL, later(seconds))
  expect(() => assertCallIsFor(CALL.aud, CALL, later(-302))).toThrow('of another time')
  expect(() => assertCallIsFor(CALL.aud, CALL, later(362))).toThrow('of another time')
  expect(() => assertCallIsFor(CALL.iss, CALL, NOW)).toThrow('another agent')
  expect(() => assertCallIsFor(CALL.aud, { ...CALL, exp: CALL.exp + 1 }, NOW)).toThrow('too long')
})

test.each([
  { path: 'http://elsewhere/' },
  { path: '/a b' },
  { path: `/${'a'.repeat(4000)}` },
  { verb: 'DELETE' },
  { jti: '' },
  { sha256: 'none' },
  { iat: 1.5 },
  { headers: { accept: 'x'.repeat(1001) } },
])('%o makes it no call', (change) => {
  expect(callClaimsIn(CALL)).toEqual(CALL)
  expect(callClaimsIn({ ...CALL, ...change })).toBeUndefined()
})

test('neither keys nor anything that the connection is about goes with a call', () => {
  expect(
    carriedHeaders({
      Accept: 'text/event-stream',
      authorization: 'Bearer secret',
      'x-project-token': 'secret',
      cookie: 'secret',
      host: 'elsewhere',
      'x-agent-id': 'somebody',
      connection: 'close',
    }),
  ).toEqual({ accept: 'text/event-stream' })
})

test('how much was read is told in words that nothing else looks like', () => {
  expect(readIn(hasRead(1234))).toBe(1234)
  for (const text of ['', 'read', 'read -1', 'read 1e9', 'read 1 ', 'abort'])
    expect(readIn(text)).toBeUndefined()
})
