import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gather } from '../../../src/http/request/gather.ts'

/** A stream that notes what goes out together, and takes more only when it is told to. */
function slowStream() {
  const sent: string[][] = []
  let resume = () => {}
  return {
    sent,
    resume: () => resume(),
    send: async (frames: readonly { data: string }[]) => {
      sent.push(frames.map(({ data }) => data))
      await new Promise<void>((resolve) => {
        resume = resolve
      })
    },
  }
}

test('what comes in one turn goes out together, in its order', async () => {
  const sent: string[][] = []
  const pieces = gather({
    send: async (frames) => {
      sent.push(frames.map(({ data }) => data))
    },
  })
  for (const data of ['a', 'b', 'c']) await pieces.send({ data })
  await nextTurn()
  await pieces.send({ data: 'd' })
  await pieces.flush()
  expect(sent).toEqual([['a', 'b', 'c'], ['d']])
})

test('nothing piles up for a reader that is slow, and nothing is lost', async () => {
  const stream = slowStream()
  const pieces = gather(stream)
  const large = 'x'.repeat(40 * 1024)
  let taken = 0
  let isOver = false
  const all = (async () => {
    for (; taken < 10; taken++) await pieces.send({ data: `${taken}${large}` })
    await pieces.flush()
    isOver = true
  })()
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  expect(taken).toBeLessThan(5)
  while (!isOver) {
    stream.resume()
    await nextTurn()
  }
  await all
  expect(stream.sent.flat().map(([first]) => Number(first))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
