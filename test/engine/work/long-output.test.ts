import { describe, expect, test } from 'vitest'
import { chunksOf, rangeText, tailOf } from '../../../src/protocol/chiffon/chunks.ts'
import { type FakeAgentOptions, status, success } from '../../support/network/fake-agent.ts'
import { workPlace } from '../../support/runs/work-place.ts'

const { between, bring, done, ended, rpc, send } = workPlace()

describe('a long output', () => {
  const output = Array.from({ length: 150_000 }, (_, index) => `${index}: 😀\n`).join('')
  const chunks = (chunksOf(output) ?? []).map((chunk) => ({
    output: chunk.text,
    output_chunk: rangeText(chunk),
  }))
  const tail = tailOf(output)
  const end = { output_chunk: rangeText(tail) }
  const telling =
    (order: (visit: number) => typeof chunks): FakeAgentOptions['serve'] =>
    ({ message, answer, stream, response, visit }) => {
      const { task_id } = message.payload
      for (const chunk of order(visit)) stream(answer('work_status', status(task_id, 100, chunk)))
      stream(answer('work_result', success(task_id, tail.text, end)))
      response.end()
    }

  test('is put together from chunks that come twice and out of order [chiffon-chunk-2]', async () => {
    await between(telling(() => [...chunks].reverse().flatMap((chunk) => [chunk, chunk])))
    const { work, result } = await done()
    expect(work.sends).toBe(1)
    expect(result.missing).toEqual([])
    expect(result.output === output).toBe(true)
  })

  test('of which a chunk is missing is asked for once more', async () => {
    await between(telling((visit) => (visit === 0 ? chunks.slice(1) : chunks)))
    const { work, result } = await done()
    expect({ sends: work.sends, isWhole: result.output === output }).toEqual({ sends: 2, isWhole: true })
  })

  test('of which a chunk never comes has failed, with its tail and what is missing', async () => {
    await between(telling(() => chunks.slice(1)))
    const { work, result } = await done()
    const first = chunksOf(output)?.[0]?.end
    expect(work).toMatchObject({
      status: 'failed',
      sends: 4,
      error: {
        code: 5003,
        retryable: false,
        message: `The output did not come whole: bytes 0-${first} never came`,
      },
    })
    expect(result).toMatchObject({ isSuccess: false, exitCode: 0, missing: [{ start: 0, end: first }] })
    expect(result.output).toBe(tail.text)
  })

  const wrong = [
    ['names another total', { output: 'x', output_chunk: 'bytes 0-1 of 9999' }],
    ['says other bytes', { output: '?', output_chunk: `bytes 0-1 of ${tail.total}` }],
    ['is not as long as it says', { output: 'xyz', output_chunk: `bytes 0-1 of ${tail.total}` }],
    ['is of no range', { output: 'x', output_chunk: 'bytes 0-256k' }],
  ] as const

  test.each(wrong)('of which a chunk %s is never completed', async (_what, chunk) => {
    await between(telling(() => [...chunks, chunk]))
    expect(await done()).toMatchObject({
      work: { status: 'failed', sends: 4, error: { code: 5003 } },
      result: { isSuccess: false },
    })
  })

  test('of which a chunk contradicts the others only once is asked for anew, and whole', async () => {
    const [, [, chunk]] = wrong
    await between(telling((visit) => (visit === 0 ? [...chunks, chunk] : chunks)))
    const { work, result } = await done()
    expect({ sends: work.sends, isWhole: result.output === output }).toEqual({ sends: 2, isWhole: true })
  })

  const TOO_LONG = { output: 'x', output_chunk: 'bytes 0-1 of 33554433' }
  const refused = {
    work: {
      status: 'failed',
      sends: 1,
      error: { code: 5003, message: expect.stringContaining('33554433 bytes, and at most 33554432') },
    },
    result: null,
  }

  test.each(['of which a chunk says so', 'of which only the result says so'])(
    'of more than 32 MiB, %s, is refused with an error',
    async (where) => {
      await between(({ message, answer, stream, response }) => {
        const { task_id } = message.payload
        if (where.includes('chunk')) stream(answer('work_status', status(task_id, 100, TOO_LONG)))
        stream(answer('work_result', success(task_id, 'x', { output_chunk: TOO_LONG.output_chunk })))
        response.end()
      })
      expect(await done()).toMatchObject(refused)
    },
  )

  test('of more than 32 MiB that the agent brings by itself is refused, and ends the work', async () => {
    await between(({ message, answer, json }) =>
      json(202, answer('work_status', status(message.payload.task_id, 10))),
    )
    const work = await send()
    await expect
      .poll(async () => (await rpc('cacp/work/get', { workId: work.workId })).work.progress)
      .toBe(10)
    const reply = await bring(work, 'work_status', status(work.workId, 100, TOO_LONG))
    expect({ http: reply.status, code: reply.json.payload.error_code }).toEqual({ http: 400, code: 5003 })
    expect(await ended(work.workId)).toMatchObject(refused)
  })
})
