import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/io/audit/log.ts'

/** What comes out when this goes in. */
function written(use: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  const write = (line: string) => {
    text += line
  }
  use(createLog('trace', { write }))
  return text
}

const SECRETS = {
  operator: 'cacp_op_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  peer: 'cacp_sk_live_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB',
  token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl',
  url: 'http://127.0.0.1:8080/pair#s3cr3t-AAAAAAAAAAAAAAAAAA.kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  privateKey: JSON.stringify({ kty: 'OKP', d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' }),
}
const HARMFUL = /cacp_(?:op|sk_live)_[\w-]{4}|eyJ|s3cr3t|nWGxne/

describe('the log', () => {
  test.each(Object.entries(SECRETS))(
    'shows no secret of the kind %s, wherever it stands',
    (_kind, secret) => {
      const text = written((log) => {
        log.info(`called with ${secret}`)
        log.info({ value: secret, list: [secret], deep: { a: { b: secret } } }, 'in a field')
        log.error({ err: new Error(`failed: ${secret}`, { cause: new Error(secret) }) }, 'in an error')
        log.child({ with: secret }).debug('in a child')
      })
      expect(text.split('\n')).toHaveLength(5)
      expect(text).not.toMatch(HARMFUL)
      expect(text).toContain('[secret]')
    },
  )

  test.each(['authorization', 'x-project-token', 'apiKey', 'token', 'secret', 'key', 'proof', 'd'])(
    'hides what is in a field %s, whatever it looks like',
    (name) => {
      const text = written((log) => {
        log.info({ [name]: 'hunter2' })
        log.info({ headers: { [name]: 'hunter2' } })
        log.info({ request: { headers: { [name]: 'hunter2' } } })
        log.info({ err: Object.assign(new Error('failed'), { request: { headers: { [name]: 'hunter2' } } }) })
      })
      expect(text).not.toContain('hunter2')
      expect(text.match(/\[secret\]/g)).toHaveLength(4)
    },
  )

  test('leaves everything else as it is, one JSON object per line', () => {
    const text = written((log) => log.warn({ url: 'http://127.0.0.1:8080', keyId: 'kPrK', count: 3 }, 'well'))
    expect(JSON.parse(text)).toEqual({
      level: 40,
      time: expect.stringMatching(/Z$/),
      url: 'http://127.0.0.1:8080',
      keyId: 'kPrK',
      count: 3,
      msg: 'well',
    })
  })

  test('stays JSON when a secret stood in a text with quotes', () => {
    const text = written((log) =>
      log.info({ body: `{"apiKey":"${SECRETS.peer}","x":1}` }, SECRETS.privateKey),
    )
    expect(JSON.parse(text)).toMatchObject({ body: '{"apiKey":"cacp_sk_live_[secret]","x":1}' })
    expect(text).not.toMatch(HARMFUL)
  })
})
