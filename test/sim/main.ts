import { parseArgs } from 'node:util'
import type { Mode } from './world.ts'

const MODES = ['push', 'digest', 'both', 'hub'] as const satisfies readonly Mode[]

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

/** A typing error that ran nothing would look like seeds that found nothing. */
function refuse(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

function whole(flag: string, text: string): number {
  const isMeant = /^[1-9]\d{0,8}$/.test(text)
  return isMeant ? Number(text) : refuse(`--${flag}: give a whole number from 1 to 999999999, not '${text}'`)
}

function modesOf(text: string): readonly Mode[] {
  const only = MODES.find((mode) => mode === text)
  if (only !== undefined) return [only]
  return text === 'all' ? MODES : refuse(`--mode: give ${MODES.join(', ')} or all, not '${text}'`)
}

const modes = modesOf(values.mode)
const from = values.seed === undefined ? whole('from', values.from) : whole('seed', values.seed)
const count = values.seed === undefined ? whole('seeds', values.seeds) : 1
const stop = whole('stop', values.stop)
// Only now: loading whole daemons takes seconds, which nobody should wait to be refused.
const { runSeed } = await import('./run-seed.ts')
const say = (line: string) => process.stderr.write(line)
/** On a terminal one line that changes, in a file one line now and then. */
const [progressEvery, sayProgress] = process.stderr.isTTY
  ? [50, (line: string) => say(`\r${line} `)]
  : [1000, (line: string) => say(`${line}\n`)]

let failed = 0
let ran = 0
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopping = true
  })

for (const mode of modes) {
  const began = performance.now()
  const sums = { acknowledged: 0, entities: 0, events: 0, requests: 0 }
  let done = 0
  for (let seed = from; seed < from + count && failed < stop && !isStopping; seed++) {
    const outcome = await runSeed({
      seed,
      mode,
      ...(values.trace ? { trace: (line: string) => say(`${line}\n`) } : {}),
    })
    done++
    ran++
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
  const mean = (sum: number) => (sum / Math.max(done, 1)).toFixed(1)
  say(
    `\r${mode}: ${done} seeds in ${(millis / 1000).toFixed(1)} s, ${mean(millis)} ms a seed; on average ${mean(sums.acknowledged)} acknowledged operations, ${mean(sums.entities)} entities, ${mean(sums.requests)} requests, ${mean(sums.events)} events\n`,
  )
}
const asked = modes.length * count
if (ran < asked) say(`ended early: ${ran} of ${asked} seeds ran\n`)
process.exitCode = failed > 0 || ran < asked ? 1 : 0
