import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openStore } from '../src/io/store/open-store.ts'
import { systemClock } from '../src/io/system/clock.ts'
import { endWithParent, tell } from './child.ts'
import type { Weight } from './memory.ts'

/** Opens a store and says what it takes in memory. */
endWithParent()
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heap(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const empty = heap()
const { store } = await openStore({ directory: process.argv[2] ?? '', clock: systemClock })
const opened = heap() - empty
for (const found of store.view.projects.oldestFirst()) for (const _ of found.contracts.oldestFirst());
const lookedAt = heap() - empty
const weight: Weight = { opened, lookedAt, statements: store.health().statements }
tell(weight)
