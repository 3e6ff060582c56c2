import { admitContract, admitPacket, admitRepo } from '../../src/domain/admit.ts'
import { type Change, contractChange, packetChange, repoChange } from '../../src/domain/change.ts'
import { contractStamp, headOf } from '../../src/domain/contract.ts'
import type { Contract } from '../../src/domain/model.ts'
import type { ProjectView } from '../../src/domain/view.ts'
import type { SequencedChange, Store } from '../../src/engine/ports.ts'
import type { Disk, DiskFile } from '../../src/io/store/disk.ts'
import { Fault } from '../../src/protocol/fault.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import {
  type Answer,
  type Call,
  type Decider,
  isHandover,
  onBatch,
  type PlantedBug,
  replacing,
  withView,
} from './planting.ts'
import type { SimDaemon } from './sim-daemon.ts'

/** A row that takes what comes in the place of what is there whenever `wins` says so. */
const taking =
  (name: 'contract' | 'packet' | 'repo', wins: (local: never, incoming: never) => boolean) =>
  (row: Decider): Decider => ({
    ...row,
    decide: (view, params, env) => {
      const decision = row.decide(view, params, env)
      const found = view.projects.get(params['projectId'] as string)
      if ((decision.changes?.length ?? 0) === 0 && (decision.result as JsonObject)['status'] !== 'skipped')
        return decision
      if (found === undefined) return decision
      const { local, change } = incomingOf(name, found, { wire: params[name], now: env.now })
      if (local === undefined) return decision
      return { ...decision, changes: wins(local as never, change.value as never) ? [change] : [] }
    },
  })

function incomingOf(
  name: 'contract' | 'packet' | 'repo',
  found: ProjectView,
  { wire, now }: { wire: unknown; now: never },
): { local: unknown; change: Change } {
  const projectId = found.project.project_id
  if (name === 'contract') {
    const incoming = admitContract(wire, { now, repoIds: [] })
    return { local: found.contracts.get(incoming.contract_id), change: contractChange(projectId, incoming) }
  }
  if (name === 'packet') {
    const incoming = admitPacket(wire, now)
    return { local: found.packets.get(incoming.packet_id), change: packetChange(projectId, incoming) }
  }
  const local = found.repos.get((wire as JsonObject)['repo_id'] as string)
  return { local, change: repoChange(projectId, admitRepo(wire, { now, local })) }
}

const believing = (calls: Call[]): Answer[] => calls.map(({ id }) => ({ id, result: { status: 'created' } }))

const alwaysNoted = (row: Decider): Decider => ({ ...row, decide: () => ({ result: { status: 'noted' } }) })

/** Whatever the peer says it has, we believe that it has everything. */
const hearingNothing = onBatch(async (calls, send) => {
  const answers = await send(calls)
  for (const answer of answers)
    if (answer.result?.['received'] !== undefined)
      answer.result = { ...answer.result, received: Number.MAX_SAFE_INTEGER, count: Number.MAX_SAFE_INTEGER }
  return answers
})

const unsynced = (file: DiskFile): DiskFile => ({
  append: (bytes) => file.append(bytes),
  truncate: (size) => file.truncate(size),
  close: () => file.close(),
  sync: async () => {},
})

const withoutSync = (disk: Disk): Disk =>
  new Proxy(disk, {
    get: (target, key) => {
      if (key === 'open') return async (path: string) => unsynced(await target.open(path))
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

export const PLANTED_BUGS: Record<string, PlantedBug> = {
  'the cursor advances when a batch is sent': {
    mode: 'push',
    sabotage: () => ({
      client: onBatch(async (calls, send) => {
        if (!calls.some(isHandover)) return send(calls)
        send(calls).catch(() => {})
        return believing(calls)
      }),
    }),
  },

  'an answer leaves before its changes are on disk': {
    mode: 'both',
    sabotage: () => ({
      store: (store) => ({
        ...withView(store, {}),
        commit: async (decide) => {
          let result: unknown
          store
            .commit((view) => {
              const decision = decide(view)
              result = decision.result
              return decision
            })
            .catch(() => {})
          return result as never
        },
      }),
    }),
  },

  'what was received is not passed on': {
    mode: 'push',
    sabotage: () => {
      const received = new WeakSet<object>()
      const noting = (row: Decider): Decider => ({
        ...row,
        decide: (view, params, env) => {
          const decision = row.decide(view, params, env)
          for (const { value } of decision.changes ?? []) received.add(value)
          return decision
        },
      })
      const own = (changes: readonly SequencedChange[]) => changes.filter(({ value }) => !received.has(value))
      return {
        methods: replacing({
          'cacp/project/sync': noting,
          'cacp/repo/sync': noting,
          'cacp/contract/sync': noting,
          'cacp/context/sync': noting,
          'cacp/receipt/sync': noting,
        }),
        store: (store) => ({
          ...withView(store, {}),
          onDurable: (listener) => store.onDurable((changes) => listener(own(changes))),
        }),
      }
    },
  },

  'a newer version or a newer time overwrites': {
    mode: 'both',
    sabotage: () => ({
      methods: replacing({
        'cacp/contract/sync': taking(
          'contract',
          (local: Contract, incoming: Contract) =>
            headOf(incoming).version > headOf(local).version ||
            contractStamp(incoming) > contractStamp(local),
        ),
      }),
    }),
  },

  'what arrived last overwrites a repo': {
    mode: 'both',
    sabotage: () => ({ methods: replacing({ 'cacp/repo/sync': taking('repo', () => true) }) }),
  },

  'a redaction is undone by the packet as it was': {
    mode: 'both',
    sabotage: () => ({ methods: replacing({ 'cacp/context/sync': taking('packet', () => true) }) }),
  },

  'the journal is never synced': { mode: 'both', sabotage: () => ({ disk: withoutSync }) },

  'what a restored peer says it has is ignored': {
    mode: 'push',
    sabotage: () => ({ client: hearingNothing, methods: replacing({ 'cacp/sync/mark': alwaysNoted }) }),
  },

  'a gap in what was received goes unnoticed, and nobody says hello': {
    mode: 'push',
    sabotage: () => ({
      methods: replacing({ 'cacp/sync/mark': alwaysNoted }),
      client: (client) => {
        let isFirst = true
        return onBatch(async (calls, send) => {
          if (calls[0]?.method !== 'cacp/sync/hello' || isFirst) {
            isFirst = calls[0]?.method === 'cacp/sync/hello' ? false : isFirst
            return send(calls)
          }
          return calls.map(({ id }) => ({ id, result: { received: Number.MAX_SAFE_INTEGER } }))
        })(client)
      },
    }),
  },

  'what a peer refused is forgotten': {
    mode: 'push',
    sabotage: () => ({
      client: onBatch(async (calls, send) =>
        (await send(calls)).map((answer) =>
          answer.result?.['status'] === 'error' ? { id: answer.id, result: { status: 'skipped' } } : answer,
        ),
      ),
    }),
  },

  'parts that come before their project are dropped': {
    mode: 'push',
    sabotage: () => ({
      client: onBatch(async (calls, send) => {
        const handovers = calls.filter(isHandover).reverse()
        const answers = await send([...handovers, ...calls.filter((call) => !isHandover(call))])
        return answers.map((answer) =>
          answer.result?.['kind'] === 'unknown_project'
            ? { id: answer.id, result: { status: 'skipped' } }
            : answer,
        )
      }),
    }),
  },

  'repair forgets the repos': {
    mode: 'digest',
    sabotage: () => ({
      client: onBatch(async (calls, send) => {
        const isRepo = ({ method }: Call) => method === 'cacp/repo/sync'
        const others = calls.filter((call) => !isRepo(call))
        const answers = others.length === 0 ? [] : await send(others)
        for (const { result } of answers)
          if (Array.isArray(result?.['calls']))
            Object.assign(result, {
              calls: (result['calls'] as unknown as Call[]).filter((call) => !isRepo(call)),
            })
        return [...answers, ...believing(calls.filter(isRepo))]
      }),
    }),
  },

  'a restarted daemon believes that its peers have everything': {
    mode: 'push',
    sabotage: () => ({
      client: hearingNothing,
      methods: replacing({ 'cacp/sync/mark': alwaysNoted }),
      store: (store) => {
        const seq = store.health().seq
        const { links } = store.view
        return withView(store, {
          links: {
            size: links.size,
            oldestFirst: () => links.oldestFirst(),
            newestFirst: () => links.newestFirst(),
            get: (id) => {
              const known = links.get(id)
              return known && { ...known, acked_seq: Math.max(known.acked_seq, seq), aside: [] }
            },
          },
        })
      },
    }),
  },

  'a batch that arrives twice resets what happened in between': {
    mode: 'both',
    sabotage: () => {
      const seen = new Map<string, Set<string>>()
      return {
        methods: (methods, daemon) =>
          replacing({
            'cacp/contract/sync': taking('contract', (_local, incoming: Contract) => {
              const texts = seen.get(daemon.name) ?? new Set()
              seen.set(daemon.name, texts)
              const text = JSON.stringify(incoming)
              const isRepeated = texts.has(text)
              texts.add(text)
              return isRepeated
            }),
          })(methods),
      }
    },
  },

  'a clock that goes back mutes a daemon': {
    mode: 'push',
    sabotage: () => {
      const latest = new WeakMap<SimDaemon, number>()
      const muted = new WeakSet<SimDaemon>()
      return {
        exchange: (exchange, daemon) => ({
          begin: () => exchange.begin(),
          push: async () => {
            if (daemon.clockOffset < (latest.get(daemon) ?? daemon.clockOffset)) muted.add(daemon)
            latest.set(daemon, daemon.clockOffset)
            if (!muted.has(daemon)) await exchange.push()
          },
          repair: () => exchange.repair(),
          end: () => exchange.end(),
          report: () => exchange.report(),
        }),
      }
    },
  },

  'a peer that failed five times is never tried again': {
    mode: 'both',
    sabotage: () => ({
      client: (client) => {
        const failures = new Map<string, number>()
        const watched = async (url: string, answer: () => Promise<string>): Promise<string> => {
          const { origin } = new URL(url)
          const failed = failures.get(origin) ?? 0
          if (failed >= 5) throw new Fault('unavailable', 'given up')
          failures.set(origin, failed + 1)
          const text = await answer()
          failures.set(origin, 0)
          return text
        }
        return {
          get: (url, millis) => watched(url, () => client.get(url, millis)),
          post: (url, body, millis) => watched(url, () => client.post(url, body, millis)),
        }
      },
    }),
  },

  'a project kept among its members goes to everybody': {
    mode: 'both',
    sabotage: () => ({
      store: (store) => {
        const { projects } = store.view
        const open = (found: ProjectView | undefined) =>
          found && {
            ...found,
            repos: found.repos,
            contracts: found.contracts,
            packets: found.packets,
            receipts: found.receipts,
            seqOf: found.seqOf.bind(found),
            repliesTo: (id: string) => found.repliesTo(id),
            packetsNaming: (sha256: string) => found.packetsNaming(sha256),
            project: { ...found.project, visibility: 'all' as const },
          }
        return withView(store, {
          projects: {
            size: projects.size,
            oldestFirst: () => projects.oldestFirst(),
            newestFirst: () => projects.newestFirst(),
            get: (id: string) => open(projects.get(id)),
          } as Store['view']['projects'],
        })
      },
    }),
  },

  'what is malformed is mended instead of refused': {
    mode: 'both',
    sabotage: () => ({
      methods: replacing({
        'cacp/contract/sync': (row) => ({
          ...row,
          decide: (view, params, env) => {
            const contract = { ...(params['contract'] as JsonObject) }
            if (!Number.isSafeInteger(contract['version'])) contract['version'] = 1
            return row.decide(view, { ...params, contract: contract as never }, env)
          },
        }),
      }),
    }),
  },
}
