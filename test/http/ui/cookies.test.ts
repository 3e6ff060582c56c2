import { describe, expect, test } from 'vitest'
import { cookieNames, cookiesIn, cookieText } from '../../../src/http/ui/cookies.ts'

const NAMES = cookieNames({ port: 8080, storeId: 'a store' })

describe('the name of the cookie', () => {
  test('tells ports and daemons apart', () => {
    const others = [
      cookieNames({ port: 8081, storeId: 'a store' }),
      cookieNames({ port: 8080, storeId: 'another' }),
    ]
    expect(new Set([NAMES, ...others].map(({ plain }) => plain)).size).toBe(3)
    expect(NAMES.plain).toMatch(/^cacpd_ui_8080_[0-9a-f]{8}$/)
    expect(NAMES.secure).toBe(`__Host-${NAMES.plain}`)
  })
})

describe('our cookies', () => {
  test.each([
    [undefined, []],
    ['', []],
    [`${NAMES.plain}=one`, ['one']],
    [`a=b; ${NAMES.plain}=one; c=d`, ['one']],
    [`a=b;${NAMES.plain}=one;;; =; c`, ['one']],
    [`${NAMES.plain}=one; ${NAMES.secure}=two; ${NAMES.plain}=three`, ['one', 'two', 'three']],
    [`x${NAMES.plain}=one; ${NAMES.plain}x=two; ${NAMES.plain.toUpperCase()}=three`, []],
    [`a=${NAMES.plain}=one`, []],
    [NAMES.plain, ['']],
  ])('in %j are %j', (header, values) => {
    expect(cookiesIn(header, NAMES)).toEqual(values)
  })

  test('are found among as many others as a request can have', () => {
    const header = Array.from({ length: 500 }, (_, n) => `${n % 2 ? NAMES.plain : 'x'}=${n}`).join('; ')
    expect(cookiesIn(header, NAMES)).toHaveLength(250)
  })
})

test.each([
  [
    { value: 'A', seconds: 60, isEncrypted: false },
    `${NAMES.plain}=A; Path=/; Max-Age=60; HttpOnly; SameSite=Strict`,
  ],
  [
    { value: '', seconds: -5, isEncrypted: false },
    `${NAMES.plain}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
  ],
  [
    { value: 'A', seconds: 9_999_999, isEncrypted: true },
    `${NAMES.secure}=A; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure`,
  ],
])('%j is kept by %j', (kept, text) => {
  expect(cookieText(NAMES, kept)).toBe(text)
})
