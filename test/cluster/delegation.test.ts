import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Message, workRequest } from '../support/dialects/chiffon-client.ts'
import { eventually, Member } from './member.ts'

// A machine that is busy may take longer for a restart than the protocol's own seven seconds.
beforeAll(() => {
  vi.stubEnv('CACP_PEER_RETRY_SECONDS', '0,1,2,4,8,8')
})
afterAll(() => {
  vi.unstubAllEnvs()
})

const SLOW = { text: 'step ', repeat: 20, delay_ms: 150 }
const SLOW_OUTPUT = 'step '.repeat(20)

const statusOf = async (member: Member, workId: string) =>
  (await member.call('cacp/work/get', { workId })).work

/** Waits until the work is well under way. */
const underWay = (member: Member, workId: string) =>
  eventually(async () => (await statusOf(member, workId)).progress).toBeGreaterThanOrEqual(15)

async function resultOf(member: Member, workId: string) {
  await eventually(async () => (await statusOf(member, workId)).endedAt).not.toBeNull()
  return member.call('cacp/work/get', { workId })
}

async function pair(): Promise<[Member, Member]> {
  const sender = await Member.start('sender')
  const worker = await Member.start('worker')
  await sender.connect(worker)
  return [sender, worker]
}

const send = async (sender: Member, parameters: object, more: object = {}): Promise<string> =>
  (await sender.call('cacp/work/send', { peer: 'worker-app', workType: 'echo', parameters, ...more })).work
    .workId

describe('work between two daemons', () => {
  test('that is interrupted when its responder is killed is done in a second attempt, and the result arrives', async () => {
    const [sender, worker] = await pair()
    await using _ = sender
    await using __ = worker
    const workId = await send(sender, SLOW)
    await underWay(sender, workId)
    await worker.stop('SIGKILL')
    await worker.startAgain()
    const { work, result } = await resultOf(sender, workId)
    expect(work).toMatchObject({ status: 'completed', error: null, progress: 100 })
    expect(result).toMatchObject({ isSuccess: true, output: SLOW_OUTPUT, attempt: 2 })
    expect((await worker.call('cacp/run/list')).runs).toMatchObject([{ attempt: 2, status: 'completed' }])
  }, 120_000)

  test('goes on when its responder is stopped and started again in good order', async () => {
    const [sender, worker] = await pair()
    await using _ = sender
    await using __ = worker
    const workId = await send(sender, SLOW)
    await underWay(sender, workId)
    await worker.stop('SIGTERM')
    await worker.startAgain()
    const { work, result } = await resultOf(sender, workId)
    expect({ status: work.status, attempt: result?.attempt }).toEqual({ status: 'completed', attempt: 2 })
  }, 120_000)

  test('is gone on with when its sender is killed, done once, and recorded on its contract once', async () => {
    const [sender, worker] = await pair()
    await using _ = sender
    await using __ = worker
    const { projectId } = await sender.call('cacp/project/create', { name: 'p', objective: 'o' })
    const contract = { projectId, type: 'custom', name: 'c', content: { a: 1 } }
    const { contractId } = await sender.call('cacp/contract/propose', contract)
    const workId = await send(sender, SLOW, { contractId })
    await underWay(sender, workId)
    await sender.stop('SIGKILL')
    await eventually(async () => (await worker.call('cacp/run/list')).runs[0].status).toBe('completed')
    await sender.startAgain()
    const { work, result } = await resultOf(sender, workId)
    expect(result).toMatchObject({ isSuccess: true, output: SLOW_OUTPUT, attempt: 1 })
    expect((await worker.call('cacp/run/list')).runs).toMatchObject([{ attempt: 1 }])
    await sender.stop('SIGKILL')
    await sender.startAgain()
    const { packets } = await sender.call('cacp/context/list', { projectId })
    expect(packets).toMatchObject([
      {
        packet_id: work.packetId,
        type: 'implementation_status',
        related_contracts: [contractId],
        content: {
          work_id: workId,
          work_type: 'echo',
          status: 'completed',
          exit_code: 0,
          output: SLOW_OUTPUT,
        },
      },
    ])
    await eventually(
      async () => (await worker.call('cacp/context/list', { projectId })).packets,
    ).toHaveLength(1)
  }, 120_000)

  test('is canceled there, too', async () => {
    const [sender, worker] = await pair()
    await using _ = sender
    await using __ = worker
    const workId = await send(sender, { ...SLOW, repeat: 1000 })
    await eventually(async () => (await statusOf(sender, workId)).status).toBe('running')
    expect((await sender.call('cacp/work/cancel', { workId })).work.status).toBe('canceled')
    expect((await worker.call('cacp/run/list')).runs).toMatchObject([{ status: 'canceled' }])
  }, 120_000)

  test('CH-12 that is done stays done: the same request answers the same after a restart [chiffon-retry-3]', async () => {
    await using worker = await Member.start('worker')
    const message = workRequest({}, { request_id: randomUUID() })
    const ask = async (): Promise<Message> => {
      const { body } = await request(`${worker.url}/api/agent/message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
      })
      return body.json()
    }
    await eventually(async () => (await ask()).type).toBe('work_result')
    const before = await ask()
    await worker.stop('SIGKILL')
    await worker.startAgain()
    const after = await ask()
    expect(JSON.stringify(after.payload)).toBe(JSON.stringify(before.payload))
    expect((await worker.call('cacp/run/list')).runs).toMatchObject([{ attempt: 1 }])
  }, 120_000)
})
