import { idOf, type Statement } from '../../src/domain/statements/statement.ts'
import type { PeerClient, Store } from '../../src/engine/ports/ports.ts'
import type { AnyMethod } from '../../src/methods/row.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import type { Bends } from './bends.ts'
import type { Sabotage } from './sim-daemon.ts'
import type { Mode } from './world.ts'

/** A mistake that one could make in src, and the mode in which the simulation has to notice it. */
export interface PlantedBug {
  readonly mode: Mode
  /** The first story that shows it, so that nobody has to search; where stories have changed, those after it are tried. */
  readonly firstSeed?: number
  /** Switches off what would mend it. Then a story counts in which nothing goes wrong without the bug. */
  readonly without?: () => Disposable
  /** What it does to the parts that daemons are made of. */
  readonly sabotage?: () => Sabotage
  /** What it does to functions of src. */
  readonly bends?: () => Bends
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

export const isHandover = ({ method }: Call): boolean => method === 'cacp/sync/statements'

/** The texts that a call hands over. */
export const handedBy = ({ params }: Call): string[] => params['statements'] as string[]

export const believing = (calls: readonly Call[]): Answer[] =>
  calls.map((call) => ({
    id: call.id,
    result: { outcomes: handedBy(call).map(() => ({ status: 'taken' })) },
  }))

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
  ) => { result: unknown; says?: readonly Omit<Statement, 'sig'>[] }
}

/** Something else is said in the place of a statement, and signed as well. */
export const saying = <Said extends Omit<Statement, 'sig'>>({ id: _, ...said }: Said, body: JsonObject) => {
  const other = { ...said, body } as Omit<Statement, 'id' | 'sig'>
  return { ...other, id: idOf(other) }
}

export const withView = (store: Store, view: Partial<Store['view']>): Store => ({
  id: store.id,
  view: { ...store.view, ...view },
  commit: (decide) => store.commit(decide),
  health: () => store.health(),
  checkDiskSpace: () => store.checkDiskSpace(),
  statements: () => store.statements(),
  onDurable: (listener) => store.onDurable(listener),
  onLocal: (listener) => store.onLocal(listener),
  [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
})
