import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../src/ui/call/fault.ts'
import { asCommand, asCurl, asJsonRpc } from '../../src/ui/form/call-text.ts'
import { readJsonText } from '../../src/ui/form/json-text.ts'

const call = {
  method: 'cacp/contract/respond',
  params: { action: 'reject', comment: `it's "wrong"; $(rm -rf ~) \`x\` \\ \n new line` },
}

/** The words that a shell makes of a command. */
const wordsIn = (command: string): string[] =>
  execFileSync('sh', [
    '-c',
    `for word in "$@"; do printf '%s\\0' "$word"; done; set -- ${command}; for word in "$@"; do printf '%s\\0' "$word"; done`,
    'sh',
  ])
    .toString()
    .split('\0')
    .slice(0, -1)

describe('the call that a form makes', () => {
  test('is JSON-RPC', () => {
    expect(JSON.parse(asJsonRpc(call))).toEqual({ jsonrpc: '2.0', id: 1, ...call })
  })

  test('is a command whose words a shell takes as they are', () => {
    const [cacpd, verb, method, params = ''] = wordsIn(asCommand(call))
    expect([cacpd, verb, method]).toEqual(['cacpd', 'call', 'cacp/contract/respond'])
    expect(JSON.parse(params)).toEqual(call.params)
  })

  test('is a request by curl, with a body that a shell takes as it is', () => {
    const words = wordsIn(asCurl(call, 'http://127.0.0.1:8080').replace('$(cacpd key)', 'KEY'))
    expect(words).toContain('authorization: Bearer KEY')
    expect(JSON.parse(words.at(-1) ?? '')).toMatchObject({ method: call.method, params: call.params })
  })
})

describe('an answer of the daemon', () => {
  test('is a result, or a fault with what to do about it', () => {
    expect(readAnswer({ result: 1 })).toEqual({ ok: true, result: 1 })
    const error = {
      code: -32602,
      message: 'No project p',
      data: { kind: 'not_found', next: 'Look', id: 'p' },
    }
    expect(readAnswer({ error })).toEqual({
      ok: false,
      fault: { kind: 'not_found', message: 'No project p', next: 'Look', data: { id: 'p' } },
    })
  })

  test.each([undefined, {}, { error: 'x' }])('that makes no sense is a fault, too: %j', (answer) => {
    expect(readAnswer(answer)).toMatchObject({ ok: false, fault: { kind: 'internal' } })
  })
})

describe('JSON that a person writes', () => {
  test('has to be an object', () => {
    expect(readJsonText('{"a": 1}')).toEqual({ value: { a: 1 } })
    expect(readJsonText('[1]').problem).toMatch(/has to be a JSON object/)
    expect(readJsonText('{"a": }').problem).toMatch(/no JSON yet/)
  })
})
