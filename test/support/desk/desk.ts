import { describedMethods } from '../../../src/describe/openrpc.ts'
import type { Caller, Self } from '../../../src/domain/env.ts'
import type { FileLook } from '../../../src/domain/proof/ignored-file.ts'
import { createAnswer } from '../../../src/engine/dispatch/answer-call.ts'
import type { AnswerCall } from '../../../src/engine/dispatch/call.ts'
import { createDispatch, tableOf } from '../../../src/engine/dispatch/dispatch.ts'
import { createFileFinder } from '../../../src/engine/files/finder.ts'
import { createFileIntake } from '../../../src/engine/files/intake.ts'
import { FILE_RULES } from '../../../src/engine/files/rules.ts'
import { ChangeLog } from '../../../src/engine/log/change-log.ts'
import type { Clock, Store } from '../../../src/engine/ports/ports.ts'
import { createOwnTrees } from '../../../src/engine/proof/own-trees.ts'
import { SearchIndex } from '../../../src/engine/search/search-index.ts'
import { createSeat } from '../../../src/engine/seat/create-seat.ts'
import { createPersonDesk } from '../../../src/engine/seat/person.ts'
import { SEAT_RULES } from '../../../src/engine/seat/rules.ts'
import { createSearch } from '../../../src/engine/seat/search.ts'
import { NO_RUNS, NO_WORKS } from '../../../src/engine/work/no-works.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { systemTimers } from '../../../src/io/system/timers.ts'
import type { AnyMethod } from '../../../src/methods/row.ts'
import type { Services } from '../../../src/methods/services.ts'
import type { MethodName, ParamsOf, ResultOf } from '../../../src/methods/table.ts'
import { type Stamp, stampOfMillis } from '../../../src/protocol/stamp.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'
import { SimulatedDisk } from '../simulated/disk.ts'
import { signerOf } from './signer.ts'

export const BACKEND = 'aid://example.com/backend@1.0.0'
export const FRONTEND = 'aid://example.com/frontend@1.0.0'
export const OUTSIDER = 'aid://example.com/outsider@1.0.0'

const { sign, ...SIGNER } = signerOf(BACKEND)

export const SELF: Self = {
  agentId: BACKEND,
  repo: 'backend-api',
  role: 'backend',
  language: 'python',
  endpoint: 'http://127.0.0.1:8080',
  storeId: 'desk',
  signer: SIGNER,
}

/** Time that passes only when somebody asks: every look is a millisecond later. */
export class ManualClock implements Clock {
  #millis = Date.UTC(2026, 10, 16, 9)
  #ids = 0
  now = (): Stamp => stampOfMillis(this.#millis++)
  newId = (): string => `id-${String(++this.#ids).padStart(6, '0')}`
  /** 22 characters of base64url. */
  newNonce = (): string => String(++this.#ids).padStart(22, '0')
  advance(seconds: number): void {
    this.#millis += seconds * 1000
  }
}

export type CallAs = <Name extends MethodName>(
  method: Name,
  params: ParamsOf<Name>,
) => Promise<ResultOf<Name>>

export interface Desk extends AsyncDisposable {
  clock: ManualClock
  disk: SimulatedDisk
  store: Store
  /** The files of the daemon's repository, by path: their content, or why they count as not there. */
  repository: Map<string, string | Extract<FileLook, { ignored: unknown }>>
  /** What all of these calls end in. */
  answer: AnswerCall
  methods: readonly AnyMethod[]
  /** Calls as the daemon's own agent, with the operator's rights. */
  call: CallAs
  /** Calls as another agent on the same daemon. */
  as(agentId: string): CallAs
  /** Calls with params that do not fit the method's type, or as another kind of caller. */
  send(
    method: string,
    params: unknown,
    options?: { caller?: Partial<Caller>; idempotencyKey?: string },
  ): Promise<unknown>
}

/** A desk has no peers and no keys; whoever asks for them gets an error. */
const NOBODY_ELSE = { hear: async () => {}, list: () => [] } as unknown as Services['replica'] &
  Services['peers'] &
  Services['identity']

const nobodyToAsk = () => {
  throw new Error('a desk has no peers')
}

/** The daemon without HTTP: dispatch, methods and the real store over a disk in memory. */
export async function openDesk(): Promise<Desk> {
  const clock = new ManualClock()
  const disk = new SimulatedDisk()
  const { store, files } = await openStore({ directory: '/desk', disk, clock, sign })
  const log = new ChangeLog(store.statements())
  const { methods } = describedMethods({ version: '0.0.0' })
  const seat = createSeat({ self: SELF, store, log, timers: systemTimers, clock, rules: SEAT_RULES })
  store.onDurable((changes) => log.record(changes))
  for (const listener of seat.listeners) store.onDurable(listener)
  const repository: Desk['repository'] = new Map()
  const lookAt = (path: string): FileLook => {
    const content = repository.get(path) ?? { ignored: 'missing' }
    return typeof content === 'string' ? { sha256: sha256(content) } : content
  }
  const trees = createOwnTrees({
    self: SELF,
    store,
    clock,
    timers: systemTimers,
    repositoryFiles: { look: async (paths) => paths.map(lookAt) },
    everyMillis: 3_600_000,
  })
  const services = {
    ...seat.services,
    trees,
    replica: NOBODY_ELSE,
    peers: NOBODY_ELSE,
    identity: NOBODY_ELSE,
    files: createFileFinder({
      intake: createFileIntake({
        files,
        store,
        clock,
        self: SELF,
        bytesPerCaller: FILE_RULES.bytesPerCaller,
      }),
      view: store.view,
      peers: () => [],
      fetchFile: nobodyToAsk,
      millis: 1000,
    }),
    runs: NO_RUNS,
    works: NO_WORKS,
    person: createPersonDesk({
      store,
      inbox: seat.services.inbox,
      peers: { list: () => [], warnings: () => [] },
      runs: NO_RUNS,
      escalateMinutes: SEAT_RULES.escalateMinutes,
    }),
    search: createSearch({ store, index: new SearchIndex({ store, log, pause: () => Promise.resolve() }) }),
  } as unknown as Services
  const answer = createAnswer({ store, clock, self: SELF, services, bootId: () => 'desk' })
  const dispatch = createDispatch(tableOf(methods), answer)
  const send: Desk['send'] = (method, params, { caller, idempotencyKey } = {}) =>
    dispatch({
      method,
      params,
      caller: { kind: 'operator', agentId: BACKEND, repoName: SELF.repo, ...caller },
      idempotencyKey,
    })
  const callAs =
    (caller: Partial<Caller>): CallAs =>
    (method, params) =>
      send(method, params, { caller }) as never
  return {
    clock,
    disk,
    store,
    repository,
    answer,
    methods,
    send,
    call: callAs({}),
    as: (agentId) => callAs({ agentId, repoName: null }),
    [Symbol.asyncDispose]: async () => {
      await trees[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

export interface Feature {
  projectId: string
  backend: CallAs
  frontend: CallAs
}

/** A project of two repos, each held by its agent: where most stories start. */
export async function openFeature(desk: Desk): Promise<Feature> {
  const backend = desk.call
  const frontend = desk.as(FRONTEND)
  const { projectId } = await backend('cacp/project/create', {
    name: 'User Auth Feature',
    objective: 'Implement OAuth 2.0 login across frontend and backend',
    repos: [
      { name: 'backend-api', role: 'backend', language: 'python' },
      { name: 'frontend-app', role: 'frontend', language: 'typescript' },
    ],
  })
  await frontend('cacp/project/join', {
    projectId,
    repoName: 'frontend-app',
    agentEndpoint: 'http://frontend-agent:8081',
  })
  return { projectId, backend, frontend }
}
