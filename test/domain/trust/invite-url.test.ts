import { describe, expect, test } from 'vitest'
import { inviteUrl, readInviteUrl } from '../../../src/domain/trust/invite-url.ts'

const SECRET = 'S'.repeat(43)
const KEY_ID = 'K'.repeat(43)
const LINK = { endpoint: 'http://127.0.0.1:8080', secret: SECRET, keyId: KEY_ID, certificate: null }

describe('the URL of an invite', () => {
  test.each([
    LINK,
    { ...LINK, endpoint: 'https://daemons.example.com:8443/backend' },
    { ...LINK, endpoint: 'https://10.0.0.7:8443', certificate: 'ab'.repeat(32) },
    { ...LINK, endpoint: 'http://[::1]:8080' },
  ])('is read as it was written: %j', (link) => {
    expect(readInviteUrl(inviteUrl(link))).toEqual(link)
    expect(readInviteUrl(` ${inviteUrl(link)}\n`)).toEqual(link)
  })

  test('carries its secret where no HTTP client sends it', () => {
    const { pathname, search } = new URL(inviteUrl(LINK))
    expect(pathname + search).toBe('/pair')
  })

  test.each([
    'http://127.0.0.1:8080',
    'http://127.0.0.1:8080/pair',
    `http://127.0.0.1:8080/pair#${SECRET}`,
    `http://127.0.0.1:8080/pair#${SECRET}.${KEY_ID}.abc`,
    `http://127.0.0.1:8080/other#${SECRET}.${KEY_ID}`,
    `http://user:pass@127.0.0.1:8080/pair#${SECRET}.${KEY_ID}`,
    `http://127.0.0.1:8080/pair?x=1#${SECRET}.${KEY_ID}`,
    `ftp://127.0.0.1/pair#${SECRET}.${KEY_ID}`,
    `http://127.0.0.1:8080/pair#short.${KEY_ID}`,
    'nonsense',
    'x'.repeat(10_000),
  ])('is refused when it is another one, without repeating it: %.70s', (text) => {
    const refusal = (() => {
      try {
        return JSON.stringify(readInviteUrl(text))
      } catch (error) {
        return String(error)
      }
    })()
    expect(refusal).toBe('Fault: url: must be a URL that `cacpd invite` printed')
  })

  test.each(['http://192.168.1.7:8080', 'http://example.com', 'http://[fe80::1]:80'])(
    'over plain http to %s would show the secret to the network',
    (endpoint) => {
      expect(() => readInviteUrl(inviteUrl({ ...LINK, endpoint }))).toThrow('plain http')
    },
  )
})
