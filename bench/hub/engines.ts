import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../src/engine/ports/ports.ts'
import { createNatsHub } from '../../src/io/hub/nats-hub.ts'
import { endWithParent, tell } from '../child.ts'
import { engineIn } from '../engine-in.ts'

/** Many daemons without doors in one process, each with a store and a connection of its own. */
export interface EnginesJob {
  readonly url: string
  readonly org: string
  /** One name for each, which is also that of its folder below `directory`. */
  readonly names: readonly string[]
  readonly directory: string
}

/** To the process: tell when every engine keeps so many statements. */
export interface Awaited {
  readonly statements: number
}

const LOOK_EVERY_MS = 2

endWithParent()
const { url, org, names, directory } = JSON.parse(process.argv[2] ?? '') as EnginesJob
const stores: Store[] = []
for (const name of names) {
  const hub = createNatsHub({ url, org, members: false, name })
  const { engine, store } = await engineIn({ directory: `${directory}/${name}`, name, hub })
  await engine.begin()
  stores.push(store)
}
process.on('message', ({ statements }: Awaited) => void untilAllKeep(statements))
tell({ ready: names.length })

async function untilAllKeep(statements: number): Promise<void> {
  let behind = stores
  while (behind.length > 0) {
    behind = behind.filter((store) => store.health().statements < statements)
    if (behind.length > 0) await sleep(LOOK_EVERY_MS)
  }
  tell({ statements })
}
