import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import {
  askForChange,
  type Call,
  createProject,
  getContract,
  joinAs,
  proposeSmall,
  updateWith,
} from './material.ts'
import { load } from './rounds.ts'

const UPDATE_BYTES = 4096
const UPDATES = 1000
const STATEMENTS = 10_000
/** Of the first and of the last, so many are taken together. */
const SAMPLE = 100
const OTHER = { repo: 'frontend-app', agent: 'aid://example.com/frontend-app@1.0.0' }

/** One more word on something costs the same however much was said about it, on disk too. */
export async function history({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('a contract with a long history')
  const directory = workshop.folder()
  const server = await workshop.daemon(directory)
  const { projectId } = await callOnce<{ projectId: string }>(server, createProject(1))
  await callOnce(server, { ...joinAs(projectId, OTHER.repo), agent: OTHER.agent })
  const open = async (number: number) =>
    (await callOnce<{ contractId: string }>(server, proposeSmall(projectId, number))).contractId
  const times = (call: Call, count: number, connections = 1) =>
    load(generator, { server, calls: [call], connections, expect: 'result', amount: { count } })

  progress.step('warming up')
  await times(updateWith(projectId, await open(1), UPDATE_BYTES), Math.ceil((4 * SAMPLE) / brevity))

  progress.step(`${UPDATES} updates`)
  const update = updateWith(projectId, await open(2), UPDATE_BYTES)
  const bytesBefore = bytesIn(directory)
  const first = await times(update, SAMPLE)
  await times(update, UPDATES - 2 * SAMPLE)
  const last = await times(update, SAMPLE)
  const written = bytesIn(directory) - bytesBefore
  const payload = UPDATES * UPDATE_BYTES

  const statements = Math.ceil(STATEMENTS / brevity)
  progress.step(`${statements} answers`)
  const longId = await open(3)
  const answering = (contractId: string): Call => ({
    ...askForChange(projectId, contractId),
    agent: OTHER.agent,
  })
  await times(answering(await open(4)), Math.ceil((4 * SAMPLE) / brevity))
  const firstAnswers = await times(answering(await open(5)), SAMPLE)
  await times(answering(longId), statements, 16)
  const lastAnswers = await times(answering(longId), SAMPLE)
  const got = await times(getContract(projectId, longId), SAMPLE)
  const gotShort = await times(getContract(projectId, await open(6)), SAMPLE)
  await server.stop()

  return [
    figure({
      name: `update ${UPDATES} of one contract of ${UPDATE_BYTES} bytes ÷ the first`,
      unit: 'ms',
      ours: last.p50Ms,
      comparedWith: { name: 'the first', value: first.p50Ms },
      ratio: last.p50Ms / first.p50Ms,
      goal: { of: 'ratio', most: 1.2 },
      notes: [`one connection; p50 of the last and of the first ${SAMPLE}`],
    }),
    figure({
      name: `bytes on disk of ${UPDATES} updates of ${UPDATE_BYTES} bytes ÷ their content`,
      unit: 'bytes',
      ours: written,
      comparedWith: { name: 'content', value: payload },
      ratio: written / payload,
      goal: { of: 'ratio', most: 3 },
      notes: ['by how much the data directory grows, with the audit trail; nothing is compacted meanwhile'],
    }),
    figure({
      name: `contract/get of a contract with ${statements} statements`,
      unit: 'ms',
      ours: got.p50Ms,
      comparedWith: { name: 'with one', value: gotShort.p50Ms },
      ratio: got.p50Ms / gotShort.p50Ms,
      goal: { of: 'ours', most: 20 },
      notes: [`one connection; p50 of ${SAMPLE}; ${got.answerBytes.toFixed(0)} bytes an answer`],
    }),
    figure({
      name: `one more answer to a contract with ${statements} statements ÷ the first`,
      unit: 'ms',
      ours: lastAnswers.p50Ms,
      comparedWith: { name: 'the first', value: firstAnswers.p50Ms },
      ratio: lastAnswers.p50Ms / firstAnswers.p50Ms,
      goal: { of: 'ratio', most: 1.2 },
      notes: [`one connection; p50 of ${SAMPLE} after that many, and of the first ${SAMPLE} of another one`],
    }),
  ]
}

function bytesIn(directory: string): number {
  let bytes = 0
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(directory, entry.name)).size
  return bytes
}
