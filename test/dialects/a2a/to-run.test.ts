import { describe, expect, test } from 'vitest'
import { SendParams } from '../../../src/dialects/a2a/params.ts'
import { aboutPart, contentOf, partOf } from '../../../src/dialects/a2a/parts.ts'
import { toRun } from '../../../src/dialects/a2a/to-run.ts'
import { fingerprintOf } from '../../../src/protocol/run/request.ts'
import { EXTENSION, message } from '../../support/dialects/a2a-client.ts'

const runFor = (part: object, more: object = {}) =>
  toRun(SendParams.parse({ message: message('hi', part), ...more }))

describe('a message as a run', () => {
  test('asks the default agent, in its context', () => {
    expect(runFor({ messageId: 'm', contextId: 'c' })).toMatchObject({
      dialect: 'a2a',
      request_id: 'm',
      session_id: 'c',
      work_type: 'answer_question',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      files: [],
    })
  })

  test('without a context opens the same one each time it is sent', () => {
    const { session_id } = runFor({ messageId: 'm' })
    expect(session_id).toMatch(/^[0-9a-f-]{36}$/)
    for (const contextId of ['', null, session_id])
      expect(fingerprintOf(runFor({ messageId: 'm', contextId }))).toBe(
        fingerprintOf(runFor({ messageId: 'm' })),
      )
    expect(runFor({ messageId: 'other' }).session_id).not.toBe(session_id)
  })

  test('may name its work in the metadata of the extension; that of the message goes first', () => {
    const asks = (workType: string) => ({ metadata: { [EXTENSION]: { workType } } })
    expect(runFor(asks('echo'), asks('other')).work_type).toBe('echo')
    expect(runFor({}, asks('other')).work_type).toBe('other')
    expect(
      runFor({ metadata: { [EXTENSION]: { parameters: { text: 'a' }, maxDurationSeconds: 5 } } }),
    ).toMatchObject({ parameters: { text: 'a' }, hints: { max_duration_seconds: 5 } })
  })

  test.each([null, 5, { workType: '' }, { parameters: [] }, { maxDurationSeconds: 0 }])(
    'is refused where the extension is %j',
    (said) => {
      expect(() => runFor({ metadata: { [EXTENSION]: said } })).toThrow(`message.metadata.${EXTENSION}`)
    },
  )

  test('hands on the tasks and files that it refers to', () => {
    expect(runFor({ referenceTaskIds: ['t1'], parts: [{ url: 'https://example.com/a' }] })).toMatchObject({
      parameters: { reference_task_ids: ['t1'] },
      files: ['https://example.com/a'],
    })
  })
})

test.each([
  { text: '' },
  { text: 'a', mediaType: 'text/markdown', metadata: { a: 1 } },
  { data: { a: 1 } },
  { data: 'text' },
  { raw: 'AAAA' },
  { raw: 'AAAA', mediaType: 'audio/wav' },
  { raw: 'AAAA', mediaType: 'image/png', filename: 'a.png' },
  { raw: 'AAAA', mediaType: 'application/pdf', filename: 'a.pdf' },
  { url: 'https://example.com/a.mp4', mediaType: 'video/mp4' },
  { url: 'https://example.com/a', filename: 'a' },
])('the part %j can be shown again as it came', (part) => {
  expect(partOf(contentOf(part), aboutPart(part))).toEqual(part)
})
