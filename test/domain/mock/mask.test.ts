import { describe, expect, test } from 'vitest'
import { entryOf } from '../../../src/domain/mock/har.ts'
import { maskJson, maskText, maskUrl } from '../../../src/domain/mock/mask.ts'
import { contentOf } from '../../../src/domain/mock/message.ts'

const JWT = `eyJ${'a'.repeat(12)}.eyJ${'b'.repeat(12)}.${'c'.repeat(12)}`
const SECRETS = ['s3cr3t-value', 'hunter2hunter2', JWT, `ghp_${'d'.repeat(36)}`]

const mentions = (value: unknown) => SECRETS.filter((secret) => JSON.stringify(value).includes(secret))

describe('what is kept of traffic', () => {
  test('has no secrets in headers, addresses and bodies', () => {
    const body = {
      user: { name: 'Ada', password: 'hunter2hunter2', accessToken: 's3cr3t-value' },
      list: [{ apiKey: 's3cr3t-value' }, `see ${JWT}`],
      note: SECRETS[3] ?? '',
    }
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    const asked = {
      method: 'POST',
      path: '/users',
      query: new URLSearchParams(),
      headers: {},
      body: contentOf(bytes, 'application/json'),
    }
    const answered = {
      status: 200,
      headers: {},
      body: contentOf(new TextEncoder().encode(`token=s3cr3t-value`), 'text/plain'),
    }
    const passed = {
      startedAt: '2026-01-01T00:00:00.000Z',
      millis: 1,
      method: 'POST',
      url: `/users?page=2&access_token=s3cr3t-value&x=${JWT}`,
      origin: 'http://127.0.0.1:1',
      requestHeaders: [
        'Authorization',
        'Bearer s3cr3t-value',
        'Cookie',
        'sid=s3cr3t-value',
        'X-Api-Key',
        's3cr3t-value',
        'Accept',
        'text/html',
      ],
      status: 200,
      statusText: 'OK',
      answerHeaders: ['Set-Cookie', 'sid=hunter2hunter2', 'Location', `/next?token=s3cr3t-value`],
    }
    const known = entryOf(passed, { asked, answered })
    expect(mentions(known)).toEqual([])
    expect(JSON.stringify(known)).toContain('Ada')
    expect(JSON.stringify(known)).toContain('text/html')
    const unknown = entryOf(passed, undefined)
    expect(JSON.stringify(unknown)).not.toContain('Ada')
  })

  test('keeps what only sounds like a secret out as well, and the rest as it is', () => {
    expect(maskJson({ tokens: 3, sessionId: 'a', hasToken: true, name: 'x', none: null })).toEqual({
      tokens: '(masked)',
      sessionId: '(masked)',
      hasToken: true,
      name: 'x',
      none: null,
    })
    expect(maskUrl('/a/b?x=1&y')).toBe('/a/b?x=1&y')
    expect(maskText('https://ada:hunter2hunter2@example.com/ and Basic aGVsbG8=')).toBe(
      'https://(masked)@example.com/ and Basic (masked)',
    )
    expect(maskText('password = "hunter2hunter2"')).toBe('password = "(masked)"')
  })

  test('is masked in a moment, whatever the text is', () => {
    const began = performance.now()
    for (const sign of [' ', 'a', '"', 'token', 'eyJ', ':', 'Bearer ', 'https://a'])
      maskText(sign.repeat(Math.ceil(65_536 / sign.length)))
    expect(performance.now() - began).toBeLessThan(3000)
  })
})
