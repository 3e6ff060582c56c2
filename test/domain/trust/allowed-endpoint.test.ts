import { describe, expect, test } from 'vitest'
import {
  assertEncrypted,
  assertWithinScope,
  endpointScopeOf,
  isWithinScope,
} from '../../../src/domain/trust/allowed-endpoint.ts'

const SOMEWHERE = {
  loopback: 'http://127.0.0.1:8081',
  private: 'https://192.168.1.5:8081',
  public: 'https://1.1.1.1',
} as const
const CLASSES = ['loopback', 'private', 'public'] as const

describe('an endpoint that somebody names', () => {
  test.each(CLASSES)('from a %s address must be of that very class', (from) => {
    const reach = endpointScopeOf({ kind: 'anonymous', from })
    for (const target of CLASSES) {
      expect(isWithinScope(target, reach)).toBe(target === from)
      const naming = () => assertWithinScope(SOMEWHERE[target], reach)
      if (target === from) expect(naming).not.toThrow()
      else expect(naming).toThrow(`endpoint: a ${target} address cannot be named from a ${from} one`)
    }
  })

  test('may be anywhere if it is the operator who does', () => {
    const reach = endpointScopeOf({ kind: 'operator', from: 'public' })
    for (const target of CLASSES) expect(() => assertWithinScope(SOMEWHERE[target], reach)).not.toThrow()
  })

  test('is never one of a metadata service, nor of nobody', () => {
    for (const url of [
      'http://169.254.169.254/',
      'http://0/',
      'http://[fe80::1]/',
      'http://[::ffff:a9fe:a9fe]/',
    ])
      for (const reach of ['operator', ...CLASSES] as const)
        expect(() => assertWithinScope(url, reach)).toThrow('endpoint: no daemon can be at this address')
  })

  test('is left to the lookup when it is a name', () => {
    expect(() => assertWithinScope('https://example.com', 'public')).not.toThrow()
  })

  test('is refused when no URL can be read from it', () => {
    expect(() => assertWithinScope('http://[fe80::1%25eth0]/', 'operator', 'url')).toThrow('url: must be')
    expect(() => assertEncrypted('http://1.2.3.4.5.6.7.8:99999')).toThrow('url: must be')
  })
})

test('plain http is taken to this machine only', () => {
  for (const url of [
    'http://127.0.0.1',
    'http://localhost:1',
    'http://[::1]:1',
    'http://2130706433',
    'https://a.example',
  ])
    expect(() => assertEncrypted(url)).not.toThrow()
  for (const url of ['http://a.example', 'http://192.168.1.5:1', 'http://127.0.0.1.evil.example', 'ftp://a'])
    expect(() => assertEncrypted(url)).toThrow('plain http is only taken to this machine')
})
