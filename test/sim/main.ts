import { parseArgs } from 'node:util'
import { runSeed } from './run-seed.ts'
import type { Mode } from './world.ts'

/** `npm run sim -- --seeds 20000 --mode all --from 1`, or `--mode push --seed 123 --trace`. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    mode: { type: 'string', default: 'all' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    /** Ends after so many failing seeds. */
    stop: { type: 'string', default: '10' },
  },
})

const modes: Mode[] = values.mode === 'all' ? ['push', 'digest', 'both'] : [values.mode as Mode]
const from = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
const say = (line: string) => process.stderr.write(line)
/** On a terminal one line that changes, in a file one line now and then. */
const [progressEvery, sayProgress] = process.stderr.isTTY
  ? [50, (line: string) => say(`\r${line} `)]
  : [1000, (line: string) => say(`${line}\n`)]

let failed = 0
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopping = true
  })

for (const mode of modes) {
  const began = performance.now()
  const sums = { acknowledged: 0, entities: 0, events: 0, requests: 0 }
  let done = 0
  for (let seed = from; seed < from + count && failed < Number(values.stop) && !isStopping; seed++) {
    const outcome = await runSeed({
      seed,
      mode,
      ...(values.trace ? { trace: (line: string) => say(`${line}\n`) } : {}),
    })
    done++
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += outcome[key]
    if (outcome.failures.length > 0) {
      failed++
      say(
        `\n${mode} seed ${seed} failed:\n${outcome.failures
          .slice(0, 3)
          .map((one) => `  ${one.slice(0, 1500)}\n`)
          .join('')}`,
      )
      say(`  replay: npm run sim -- --mode ${mode} --seed ${seed} --trace\n`)
    }
    if (done % progressEvery === 0) sayProgress(`${mode}: ${done} of ${count} seeds, ${failed} failed`)
  }
  const millis = performance.now() - began
  const mean = (sum: number) => (sum / done).toFixed(1)
  say(
    `\r${mode}: ${done} seeds in ${(millis / 1000).toFixed(1)} s, ${mean(millis)} ms a seed; on average ${mean(sums.acknowledged)} acknowledged operations, ${mean(sums.entities)} entities, ${mean(sums.requests)} requests, ${mean(sums.events)} events\n`,
  )
}
process.exitCode = failed > 0 ? 1 : 0
