import { endWithParent, tell } from './child.ts'
import { pouchIn } from './pouch.ts'

/** A new peer: has nothing, waits to be told where to replicate from, and says how long that took. */
export interface Replicated {
  ms: number
  documents: number
}

endWithParent()
const [directory = ''] = process.argv.slice(2)
const databases = pouchIn(directory)
const database = new databases('contracts')
await database.info()
process.on('message', ({ url, batchSize }: { url: string; batchSize?: number }) => {
  const begin = performance.now()
  databases
    .replicate(url, database, batchSize === undefined ? {} : { batch_size: batchSize })
    .then(async () => {
      const ms = performance.now() - begin
      const { doc_count: documents } = await database.info()
      tell({ ms, documents } satisfies Replicated)
    })
    .catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    })
})
tell('ready')
