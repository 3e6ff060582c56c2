import { streamName } from '../../src/io/hub/streams.ts'
import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { statementsOf, until } from '../mesh.ts'
import { median } from '../rounds.ts'
import { answerOf } from '../workshop.ts'
import type { ConsumerJob } from './bare-consumer.ts'
import { ORG, onHub, startHub } from './server.ts'
import type { SourceJob } from './statement-source.ts'

const STATEMENTS = 1_000_000
const PER_PROJECT = 10_000
/** Each with a key of its own, on a processor of its own. */
const SOURCES = 2
const READS = 3
const LONGEST_MS = 1_800_000
const GIB = 1024 ** 3

/** A new daemon reads a hub that has everything, against a bare consumer that only keeps what it reads. */
export async function hubCatchUp({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  const wanted = brevity > 1 ? STATEMENTS / 50 : STATEMENTS
  progress.begin(`catch-up with ${wanted} statements on a hub`)
  await using server = await startHub()
  const contracts = wanted / SOURCES
  const job: SourceJob = { url: server.url, org: ORG, projects: contracts / PER_PROJECT, contracts }
  const sources = Array.from({ length: SOURCES }, () =>
    workshop.forkBundled('hub/statement-source.ts', JSON.stringify(job)),
  )
  const put = await Promise.all(
    sources.map((one) => answerOf<{ statements: number }>(one, 'hub/statement-source.ts')),
  )
  for (const one of sources) one.kill()
  const statements = put.reduce((sum, one) => sum + one.statements, 0)

  const bare: number[] = []
  for (let read = 1; read <= READS; read++) {
    progress.step(`a bare consumer, ${read} of ${READS}`)
    const path = `${workshop.folder()}.jsonl`
    const reading: ConsumerJob = { port: server.port, stream: streamName(ORG, 'facts'), path }
    const consumer = workshop.forkBundled('hub/bare-consumer.ts', JSON.stringify(reading))
    const { ms, count } = await answerOf<{ ms: number; count: number }>(consumer, 'hub/bare-consumer.ts')
    if (count < statements) throw new Error(`The consumer read ${count} of ${statements} messages`)
    bare.push(ms)
    consumer.kill()
  }

  progress.step('a daemon')
  const begin = performance.now()
  const daemon = await workshop.daemon(workshop.folder(), {
    env: { ...onHub(server.url), CACP_QUOTA_BYTES: String(16 * GIB) },
  })
  let kept = 0
  const hasAll = async (): Promise<boolean> => {
    kept = await statementsOf(daemon)
    progress.step(`a daemon has ${kept} of ${statements}`)
    return kept >= statements
  }
  await until('the daemon has everything', hasAll, 200, LONGEST_MS)
  const ms = performance.now() - begin
  await daemon.stop('SIGKILL')

  const rate = (millis: number) => statements / (millis / 1000)
  return [
    figure({
      name: `catch-up of a new daemon with ${statements} statements on a hub ÷ a bare consumer`,
      unit: 'contracts/s',
      ours: rate(ms),
      comparedWith: { name: 'bare JetStream consumer with a synced file', value: rate(median(bare)) },
      ratio: rate(ms) / rate(median(bare)),
      goal: { of: 'ratio', least: 0.5 },
      notes: [
        `${(ms / 1000).toFixed(0)} s with the start of the daemon, the consumer ${(median(bare) / 1000).toFixed(1)} s; the daemon ` +
          'checks the signature of each, and keeps it so that it can be asked for',
      ],
    }),
  ]
}
