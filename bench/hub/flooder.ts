import { readStatement, type Statement } from '../../src/domain/statements/statement.ts'
import { createNatsHub } from '../../src/io/hub/nats-hub.ts'
import { endWithParent, tell } from '../child.ts'
import { rubbishFor } from './rubbish.ts'

/** One user of a hub who may publish, and publishes what nobody can use. */
export interface FloodJob {
  readonly url: string
  readonly org: string
  /** A project of honest daemons, with a contract in it. */
  readonly projectId: string
  readonly messages: number
}

export interface Flooded {
  readonly ms: number
}

const BATCH = 512

endWithParent()
const { url, org, projectId, messages } = JSON.parse(process.argv[2] ?? '') as FloodJob
const { signal } = new AbortController()
await using hub = await createNatsHub({ url, org, members: false, name: 'flooder' }).open(signal)

const said: Statement[] = []
const range = { after: 0, upTo: (await hub.stateOf('facts')).last }
for await (const some of hub.read('facts', range, signal))
  for (const { text } of some) {
    const read = readStatement(text)
    if ('statement' in read) said.push(read.statement)
  }
const contract = said.find(({ kind, project_id }) => kind === 'revision' && project_id === projectId)
const claim = said.find(({ id }) => id === contract?.under)
if (contract === undefined || claim === undefined) throw new Error('There is no contract on the hub')

const rubbish = rubbishFor({ org, claim, contract })
const begin = performance.now()
for (let from = 0; from < messages; from += BATCH) {
  const numbers = Array.from({ length: Math.min(BATCH, messages - from) }, (_, more) => from + more)
  const outcomes = await hub.publish(numbers.map(rubbish))
  if (!outcomes.every(({ status }) => status === 'stored'))
    throw new Error('The hub did not store everything')
}
tell({ ms: performance.now() - begin } satisfies Flooded)
