import type { Change } from '../../src/domain/change.ts'
import type { PeerClient, Store } from '../../src/engine/ports.ts'
import type { AnyMethod } from '../../src/methods/row.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Sabotage } from './sim-daemon.ts'
import type { Mode } from './world.ts'

/** A mistake that one could make in src, and the mode in which the simulation has to notice it. */
export interface PlantedBug {
  readonly mode: Mode
  readonly sabotage: () => Sabotage
}

export type Call = { id: number; method: string; params: JsonObject }
export type Answer = { id: number; result?: JsonObject; error?: JsonObject }

/** Reads every batch that goes out, and answers it as told. */
export const onBatch =
  (handle: (calls: Call[], send: (calls: Call[]) => Promise<Answer[]>) => Promise<Answer[]>) =>
  (client: PeerClient): PeerClient => ({
    get: client.get,
    post: async (url, body, millis) => {
      const calls: unknown = JSON.parse(body)
      if (!Array.isArray(calls)) return client.post(url, body, millis)
      const send = async (some: Call[]) =>
        JSON.parse(await client.post(url, JSON.stringify(some), millis)) as Answer[]
      return JSON.stringify(await handle(calls as Call[], send))
    },
  })

export const isHandover = ({ method }: Call): boolean =>
  /^cacp\/(project|repo|contract|context|receipt)\/sync$/.test(method)

/** Rows by name, each made from the real one. */
export const replacing =
  (rows: Record<string, (row: Decider) => Decider>) =>
  (methods: readonly AnyMethod[]): readonly AnyMethod[] =>
    methods.map((row) => (rows[row.name]?.(row as unknown as Decider) ?? row) as AnyMethod)

/** A row as loosely typed as a bug needs it. */
export interface Decider {
  readonly decide: (
    view: Store['view'],
    params: Record<string, JsonObject & string>,
    env: { now: never },
  ) => { result: unknown; changes?: readonly Change[] }
}

export const withView = (store: Store, view: Partial<Store['view']>): Store => ({
  id: store.id,
  view: { ...store.view, ...view },
  commit: (decide) => store.commit(decide),
  health: () => store.health(),
  changes: () => store.changes(),
  onDurable: (listener) => store.onDurable(listener),
  [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
})
