import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { AccessWatch } from '../../../src/engine/peers/access-watch.ts'
import { createA2aMethods } from '../../../src/http/dialects/a2a/a2a.ts'
import type { Circumstances } from '../../../src/http/rpc/json-rpc.ts'
import { systemTimers } from '../../../src/io/system/timers.ts'
import type { Runs } from '../../../src/methods/runs/service.ts'
import type { Services } from '../../../src/methods/services.ts'
import type { Fault } from '../../../src/protocol/fault.ts'
import type { Run } from '../../../src/protocol/run/run.ts'
import { signerOf } from '../../support/desk/signer.ts'
import { message } from '../../support/dialects/a2a-client.ts'
import { completedRun, requestWith, text } from '../../support/dialects/run-events.ts'
import { OPERATOR } from '../../support/runs/test-runs.ts'

const [started, said] = completedRun([text('one')])
const RUN = {
  run_id: 'task-1',
  request: requestWith({ dialect: 'a2a', session_id: 'context-1' }),
  status: 'created',
  created_at: started?.at,
  ended_at: null,
  attempt: 1,
  runner: 'echo',
  last_sequence: 0,
  failure: null,
} as Run

const CIRCUMSTANCES: Circumstances = {
  caller: OPERATOR,
  idempotencyKey: undefined,
  headers: { 'a2a-version': '1.0' },
}
const ASKED = {
  jsonrpc: '2.0',
  id: 7,
  method: 'SendStreamingMessage',
  params: { message: message('hi') },
} as const

function methodsOver(runs: Partial<Runs>) {
  const reported: Fault[] = []
  const methods = createA2aMethods({
    self: {
      agentId: OPERATOR.agentId,
      repo: 'backend-api',
      role: 'backend',
      language: 'python',
      endpoint: 'http://127.0.0.1:8080',
      storeId: 's',
      signer: signerOf('backend'),
    },
    version: '0.0.0',
    services: { runs: { workTypes: () => ['echo'], ...runs } } as Services,
    audit: { refused: () => {}, allowed: () => {} },
    isOpen: false,
    accessWatch: new AccessWatch({ timers: systemTimers, isShutOut: () => false }),
    commentMillis: 10_000,
    report: (fault) => reported.push(fault),
  })
  return { methods, reported }
}

const SECRET = new TypeError('secret of the inside')
const SERVER_ERROR = { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Server error' } }

test('what breaks before the first piece is an answer without a word of the inside [a2a-error-2]', async () => {
  const { methods, reported } = methodsOver({
    start: async () => {
      throw SECRET
    },
  })
  for (const told of [
    await methods.stream(ASKED, CIRCUMSTANCES),
    await methods.answer({ ...ASKED, method: 'SendMessage' }, CIRCUMSTANCES),
  ]) {
    expect(told).toMatchObject(SERVER_ERROR)
    expect(JSON.stringify(told)).not.toContain('secret')
  }
  expect(reported.map(({ cause }) => cause)).toEqual([SECRET, SECRET])
})

test('what breaks after it is the last piece of a stream that ends well [a2a-error-2]', async () => {
  const { methods, reported } = methodsOver({
    start: async () => ({ run: RUN, isNew: true }),
    async *follow() {
      if (started !== undefined && said !== undefined) yield [started, said]
      throw SECRET
    },
  })
  const reply = await methods.stream(ASKED, CIRCUMSTANCES)
  if (!('stream' in reply)) throw new Error('not a stream')
  const server = createServer((_request, response) => {
    reply.stream(response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const whole = await answer.text()
    const pieces = whole
      .trim()
      .split('\n\n')
      .map((frame) => JSON.parse(frame.replace(/^data: /, '')))
    expect(pieces.map(({ result }) => (result === undefined ? 'error' : Object.keys(result)[0]))).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'error',
    ])
    expect(pieces.at(-1)).toMatchObject(SERVER_ERROR)
    expect(whole).not.toContain('secret')
    expect(reported).toHaveLength(1)
  } finally {
    server.close()
  }
})
