import { setTimeout as passing } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { METHODS } from '../../src/methods/table.ts'
import { Dice } from '../sim/dice.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { newcomer } from '../support/daemons/newcomer.ts'
import { type FuzzMaterial, fuzzedRequest, type Sender } from './fuzz-calls.ts'
import { type Answer, Wire } from './fuzz-wire.ts'
import { answerTo, rawConnection } from './raw.ts'

/** As many requests in all; most of them are well-formed HTTP. Another seed sends others. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 50_000)
const WELL_FORMED = Math.floor(REQUESTS * 0.7)
const SEED = Number(process.env['FUZZ_SEED'] ?? 4)
const TIMEOUT = 60_000 + REQUESTS * 10

const ANY = 1_000_000_000
const UNLIMITED = { ratePerKey: ANY, ratePerAddress: ANY, ratePerStranger: ANY, ratePairing: ANY }
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9'

interface Target extends AsyncDisposable {
  backend: TestDaemon
  material: FuzzMaterial
  /** What was logged as a failure of the daemon itself. */
  failures: string[]
  secrets: string[]
}

/** A daemon with something in it, and callers of every kind. */
async function target(): Promise<Target> {
  const failures: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => failures.push(line) })
  const backend = await daemon(UNLIMITED, { log, resolve: async () => [] })
  const { projectId } = await backend.rpc('cacp/project/create', {
    name: 'n',
    objective: 'o',
    repos: [{ name: 'guest' }, { name: 'backend-api' }],
  })
  const { contractId } = await backend.rpc('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'c',
    content: { a: 1 },
  })
  const { packetId } = await backend.rpc('cacp/context/askQuestion', { projectId, question: '?' })
  const guest = await newcomer('guest')
  const { body } = await guest.pair((await backend.rpc('cacp/invite/create', {})).url)
  const { token, tokenId } = await backend.rpc('cacp/token/issue', {
    projectId,
    permissions: ['project:read', 'project:write'],
  })
  const key = String(body['apiKey'])
  const agents = [guest.agentId, 'aid://example.com/backend@1.0.0', 'aid://example.com/nobody@1.0.0']
  return {
    backend,
    failures,
    secrets: [backend.key, key, backend.dataDir, process.cwd()],
    material: {
      host: new URL(backend.url).host,
      senders: [
        ...Array<Sender>(6).fill({ Authorization: `Bearer ${backend.key}` }),
        ...Array<Sender>(3).fill({ Authorization: `Bearer ${key}` }),
        { 'X-Project-Token': String(token) },
        { Authorization: `Bearer ${key.slice(0, -1)}x` },
        { Authorization: 'Basic YTpi' },
        {},
      ],
      known: {
        projectId: [projectId],
        project: [projectId],
        contractId: [contractId],
        packetId: [packetId],
        tokenId: [tokenId],
        agentId: agents,
        agent_id: agents,
        endpoint: [NOWHERE, 'https://nowhere.example'],
        agentEndpoint: [NOWHERE],
        url: [NOWHERE, 'http://192.168.1.1', 'x'],
        repoName: ['guest', 'backend-api', 'other'],
      },
    },
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  }
}

/** What no answer may be, whatever was asked. */
function objectionTo({ status, text }: Answer, secrets: readonly string[]): string | undefined {
  if (!(status >= 200 && status < 500)) return `status ${status}`
  if (text.includes('"kind":"internal"')) return 'an internal failure'
  if (/\n\s+at |node:internal|node_modules|\.ts:\d|\.js:\d|ENOENT|EACCES/.test(text))
    return 'a stack or a path'
  const told = secrets.find((secret) => text.includes(secret))
  return told === undefined ? undefined : 'a secret'
}

async function assertWell({ backend, failures }: Target): Promise<void> {
  expect(failures).toEqual([])
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(await backend.rpc('cacp/project/list', { limit: 1 })).toHaveProperty('projects')
  expect((await backend.fetch('/health')).json.status).toBe('healthy')
}

test(
  'whatever is put into calls and routes, nothing fails, nothing is told and the daemon goes on',
  async () => {
    await using on = await target()
    const statuses = new Map<number, number>()
    const succeeded = new Set<string>()
    let left = WELL_FORMED
    const worker = async (number: number) => {
      const dice = new Dice(SEED * 100 + number)
      let wire = new Wire(await rawConnection(on.backend))
      while (left > 0) {
        const requests = Array.from({ length: Math.min(20, left) }, () => fuzzedRequest(dice, on.material))
        left -= requests.length
        for (const [n, answer] of (
          await Promise.allSettled(requests.map((one) => wire.send(one)))
        ).entries()) {
          // A connection that is closed behind a refusal takes those behind it along.
          if (answer.status === 'rejected') continue
          statuses.set(answer.value.status, (statuses.get(answer.value.status) ?? 0) + 1)
          const method = /"method":"([^"]*)"/.exec(requests[n]?.toString() ?? '')?.[1]
          if (method !== undefined && answer.value.text.includes('"result":')) succeeded.add(method)
          const objection = objectionTo(answer.value, on.secrets)
          if (objection !== undefined)
            expect.fail(
              `${objection}\n${requests[n]?.toString().slice(0, 3000)}\n${answer.value.text.slice(0, 3000)}`,
            )
        }
        if (!wire.isOpen) wire = new Wire(await rawConnection(on.backend))
      }
      wire.close()
    }
    await Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)))
    const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0)
    expect(answered).toBeGreaterThan(WELL_FORMED * 0.8)
    for (const status of [200, 204, 400, 401, 403, 404, 405, 415])
      expect([status, (statuses.get(status) ?? 0) > 0]).toEqual([status, true])
    // Most methods were not only refused: what is behind their params was tried too.
    if (REQUESTS >= 10_000) expect(succeeded.size).toBeGreaterThan(METHODS.length * 0.75)
    await assertWell(on)
  },
  TIMEOUT,
)

test(
  'whatever bytes come, nothing fails, nothing is told and the daemon goes on',
  async () => {
    await using on = await target()
    let left = REQUESTS - WELL_FORMED
    const worker = async (number: number) => {
      const dice = new Dice(SEED * 100 + 50 + number)
      while (left-- > 0) {
        const bytes = garbled(fuzzedRequest(dice, on.material), dice)
        const socket = await rawConnection(on.backend)
        const answering = answerTo(socket, bytes, 10_000)
        socket.end()
        const text = await answering
        for (const [, status] of text.matchAll(/(?:^|\r\n)HTTP\/1\.1 (\d{3})/g)) {
          const objection = objectionTo({ status: Number(status), text }, on.secrets)
          if (objection !== undefined && status !== '100')
            expect.fail(`${objection}\n${bytes.toString('latin1').slice(0, 3000)}\n${text.slice(0, 3000)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, number) => worker(number)))
    await passing(10)
    await assertWell(on)
  },
  TIMEOUT,
)

/** A few bytes turned, put in, taken out, repeated, or everything behind some point cut off. */
function garbled(bytes: Buffer, dice: Dice): Buffer {
  let out = Buffer.from(bytes)
  for (let n = dice.between(1, 4); n > 0; n--) {
    // Mostly where the headers are: behind them it is only text.
    const at = dice.between(0, Math.min(out.length - 1, dice.chance(0.8) ? 300 : out.length - 1))
    const until = Math.min(out.length, at + dice.between(1, 30))
    const [before, behind] = [out.subarray(0, at), out.subarray(at)]
    switch (dice.weighted({ turn: 4, put: 3, take: 2, repeat: 2, cut: 1 })) {
      case 'turn':
        out[at] = dice.between(0, 255)
        break
      case 'put':
        out = Buffer.concat([before, Buffer.from(dice.pick(TROUBLE), 'latin1'), behind])
        break
      case 'take':
        out = Buffer.concat([before, out.subarray(until)])
        break
      case 'repeat':
        out = Buffer.concat([out.subarray(0, until), behind])
        break
      case 'cut':
        out = Buffer.from(before)
    }
    if (out.length === 0) return Buffer.from('\r\n')
  }
  return out
}

const TROUBLE = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\0',
  ': ',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: websocket\r\nConnection: upgrade\r\n',
  'HTTP/1.0',
  'HTTP/9.9',
  'CONNECT a:1 ',
  '\xff\xfe',
  'GET / HTTP/1.1\r\n',
  '%00',
  '%',
  '//',
  '/..',
  '?',
]
