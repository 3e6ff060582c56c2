import type { ProjectView } from '../../src/domain/view.ts'
import { ClockAheadRepair } from '../../src/engine/peers/clock-ahead-repair.ts'
import type { SequencedStatement, Store } from '../../src/engine/ports/ports.ts'
import type { Disk, DiskFile } from '../../src/io/store/directory/disk.ts'
import { Fault } from '../../src/protocol/fault.ts'
import { replacingMethod } from './bends.ts'
import { believing, type Call, handedBy, isHandover, onBatch, type PlantedBug, withView } from './planting.ts'
import type { SimDaemon } from './sim-daemon.ts'

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

/** Says that the peer took those of a kind, and sends the rest. */
const keeping = (kind: string) =>
  onBatch(async (calls, send) => {
    const isKept = (text: string) => text.includes(`"kind":"${kind}"`)
    const handovers = calls.filter(isHandover)
    const without = (call: Call): Call =>
      isHandover(call)
        ? { ...call, params: { ...call.params, statements: handedBy(call).filter((one) => !isKept(one)) } }
        : call
    const answers = await send(calls.map(without))
    for (const { result } of answers)
      if (Array.isArray(result?.['statements']))
        Object.assign(result, { statements: result['statements'].filter((one) => !isKept(String(one))) })
    const believed = new Map(believing(handovers).map((one) => [one.id, one]))
    return answers.map((one) => believed.get(one.id) ?? one)
  })

/** Mistakes in how daemons hand over what they have, and keep it. */
export const PLANTED_BUGS: Record<string, PlantedBug> = {
  'what was said while the clock was ahead is not said again': {
    mode: 'both',
    firstSeed: 7,
    bends: () => ({
      install: () => replacingMethod(ClockAheadRepair.prototype, 'begin', () => async () => {}),
    }),
  },

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
    firstSeed: 13,
    sabotage: () => ({
      store: (store) => ({
        ...withView(store, {}),
        commit: async (decide) => {
          let answer: () => unknown = () => undefined
          store
            .commit((view) => {
              const decision = decide(view)
              answer = () => decision.tell?.(store.view) ?? decision.result
              return decision
            })
            .catch(() => {})
          return answer() as never
        },
      }),
    }),
  },

  'what was received is not passed on': {
    mode: 'push',
    firstSeed: 2,
    sabotage: () => {
      const received = new WeakSet<object>()
      const own = (all: readonly SequencedStatement[]) =>
        all.filter(({ statement }) => !received.has(statement))
      return {
        store: (store) => ({
          ...withView(store, {}),
          commit: (decide) =>
            store.commit((view) => {
              const decision = decide(view)
              for (const one of decision.takes ?? []) received.add(one)
              return decision
            }),
          onDurable: (listener) => store.onDurable((statements) => listener(own(statements))),
        }),
      }
    },
  },

  'the journal is never synced': { mode: 'both', firstSeed: 5, sabotage: () => ({ disk: withoutSync }) },

  'a peer with another store is believed to have what it had before': {
    mode: 'push',
    firstSeed: 2,
    sabotage: () => ({
      client: onBatch(async (calls, send) => {
        const answers = await send(calls)
        for (const answer of answers)
          if (answer.result?.['storeId'] !== undefined)
            answer.result = { ...answer.result, storeId: 'the-same' }
        return answers
      }),
    }),
  },

  'repair forgets the packets': { mode: 'digest', sabotage: () => ({ client: keeping('packet') }) },

  'sightings are kept from the peers': { mode: 'push', sabotage: () => ({ client: keeping('sighting') }) },

  'a restarted daemon believes that its peers have everything': {
    mode: 'push',
    firstSeed: 7,
    sabotage: () => ({
      store: (store) => {
        const seq = store.health().seq
        const { links } = store.view
        return withView(store, {
          links: {
            size: links.size,
            oldestFirst: () => links.oldestFirst(),
            newestFirst: () => links.newestFirst(),
            beginningWith: (prefix) => links.beginningWith(prefix),
            get: (id) => {
              const known = links.get(id)
              return known && { ...known, acked_seq: Math.max(known.acked_seq, seq) }
            },
          },
        })
      },
    }),
  },

  'a clock that goes back mutes a daemon': {
    mode: 'push',
    firstSeed: 10,
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
    firstSeed: 2,
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
    firstSeed: 2,
    sabotage: () => ({
      store: (store) => {
        const { projects } = store.view
        const open = (found: ProjectView | undefined): ProjectView | undefined =>
          found && {
            repos: found.repos,
            contracts: found.contracts,
            packets: found.packets,
            said: found.said,
            seqOf: (kind, id) => found.seqOf(kind, id),
            newestAbout: (id) => found.newestAbout(id),
            contractsCalled: (name) => found.contractsCalled(name),
            questionsCalled: (name) => found.questionsCalled(name),
            sightingsOf: (id) => found.sightingsOf(id),
            repliesTo: (id) => found.repliesTo(id),
            packetsNaming: (sha256) => found.packetsNaming(sha256),
            project: { ...found.project, visibility: 'all' },
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
}
