import { describe, expect, test } from 'vitest'
import { pythonClient, webClient } from './agent-api-clients.ts'

const CONTENT = { object: 'content', type: 'text', index: 0, delta: false, msg_id: 'm1', text: 'hi' }
const MESSAGE = { object: 'message', id: 'm1', type: 'message', role: 'assistant', content: [CONTENT] }
const RESPONSE = { object: 'response', id: 'r1', created_at: 1, status: 'completed', output: [MESSAGE] }

const frame = (event: object, prefix = 'data: ') => `${prefix}${JSON.stringify(event)}\n\n`
const showsAll = (stream: string): boolean => {
  try {
    return !webClient(stream).isSpinning
  } catch {
    return false
  }
}

/** What was seen of the real clients: whether each of them gets the whole answer. */
describe('the stand-ins for the clients read as those do', () => {
  test.each([
    ['the usual stream', frame(RESPONSE), true, true],
    ['carriage returns', frame(MESSAGE).concat(frame(RESPONSE)).replaceAll('\n', '\r\n'), false, true],
    ['no space after the colon', frame(RESPONSE, 'data:'), true, false],
    ['comments', `: x\n\n${frame(RESPONSE)}`, true, true],
    ['ids and names of events', frame(RESPONSE, 'id: 1\nevent: a\ndata: '), true, true],
    ['an event without data', `retry: 5\n\n${frame(RESPONSE)}`, false, true],
    ['no output in the end', frame({ ...RESPONSE, output: null }), false, true],
    ['a message without content', frame({ ...RESPONSE, output: [{ ...MESSAGE, content: [] }] }), false, true],
    ['the status canceled', frame({ ...RESPONSE, status: 'canceled' }), false, true],
    [
      'a code that is a number',
      frame({ ...RESPONSE, status: 'failed', error: { code: 1, message: '' } }),
      true,
      false,
    ],
    ['another role', frame({ ...RESPONSE, output: [{ ...MESSAGE, role: 'robot' }] }), true, false],
    ['a number as text', frame({ ...RESPONSE, sequence_number: '7' }), true, true],
    ['a number that is none', frame({ ...RESPONSE, sequence_number: 'a7' }), true, false],
    ['a time that is no integer', frame({ ...RESPONSE, created_at: 1.5 }), true, false],
    ['no end', frame(MESSAGE), false, true],
  ])('%s', (_, stream, web, python) => {
    expect(showsAll(stream)).toBe(web)
    expect(pythonClient(stream).length > 0).toBe(python)
  })

  test('content before its message is not shown until the end', () => {
    expect(webClient(frame(CONTENT)).messages).toEqual([])
    expect(webClient(frame(CONTENT) + frame(RESPONSE)).messages).toHaveLength(1)
  })
})
