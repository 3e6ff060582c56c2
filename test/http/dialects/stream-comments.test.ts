import { request } from 'undici'
import { expect, test } from 'vitest'
import { SSE_COMMENT } from '../../../src/protocol/sse/sse.ts'
import { daemon } from '../../support/daemons/daemon.ts'
import { legacyMessage, message } from '../../support/dialects/a2a-client.ts'
import { capEchoing, echoing } from '../../support/dialects/assist.ts'
import { anotherRequest } from '../../support/dialects/chiffon-client.ts'

/** Says something, and then nothing for longer than a stream may be silent. */
const SLOW = { text: 'x', repeat: 2, delay_ms: 10_000 }
const asked = { workType: 'echo', parameters: SLOW }
const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

test.each([
  ['/v1/assist', echoing(SLOW), {}],
  ['/v1/assist', capEchoing('x', { repeat: 2, delay_ms: 10_000 }), {}],
  ['/process', { input: [{ role: 'user', content: [] }], biz_params: { work_type: 'echo', ...SLOW } }, {}],
  ['/api/agent/message', anotherRequest({ parameters: SLOW }), {}],
  [
    '/',
    call('message/stream', { message: { ...legacyMessage('x'), metadata: { 'urn:cacp:2.0': asked } } }),
    {},
  ],
  [
    '/',
    call('SendStreamingMessage', { message: { ...message('x'), metadata: { 'urn:cacp:2.0': asked } } }),
    { 'a2a-version': '1.0' },
  ],
])('a silent stream of %s has comments as often as was configured', async (path, body, headers) => {
  await using backend = await daemon({ streamCommentSeconds: 1 })
  const leaving = new AbortController()
  const reply = await request(`${backend.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${backend.key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
    signal: leaving.signal,
  })
  let text = ''
  for await (const chunk of reply.body) {
    text += String(chunk)
    if (text.includes(SSE_COMMENT)) break
  }
  leaving.abort()
  expect(text).toContain(SSE_COMMENT)
})
