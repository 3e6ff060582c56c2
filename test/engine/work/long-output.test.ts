import { describe, expect, test } from 'vitest'
import { chunksOf, rangeText, tailOf } from '../../../src/protocol/chiffon/chunks.ts'
import { type FakeAgentOptions, status, success } from '../../support/fake-agent.ts'
import { workPlace } from '../../support/work-place.ts'

const { between, done } = workPlace()

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

  test('of which a chunk never comes is its tail, and says what is missing', async () => {
    await between(telling(() => chunks.slice(1)))
    const { work, result } = await done()
    expect({ status: work.status, sends: work.sends }).toEqual({ status: 'completed', sends: 4 })
    expect(result.output).toBe(tail.text)
    expect(result.missing).toEqual([{ start: 0, end: chunksOf(output)?.[0]?.end }])
  })
})
