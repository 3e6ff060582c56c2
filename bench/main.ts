import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { brief } from './brief.ts'
import { catchUp } from './catch-up.ts'
import { crowd } from './crowd.ts'
import { fanOut } from './fan-out.ts'
import type { Figure } from './figure.ts'
import { growth } from './growth.ts'
import { history } from './history.ts'
import { hook } from './hook.ts'
import { inbox } from './inbox.ts'
import { lag } from './lag.ts'
import { memory } from './memory.ts'
import { Progress } from './progress.ts'
import { quiet } from './quiet.ts'
import { reads } from './reads.ts'
import { repair } from './repair.ts'
import { restart } from './restart.ts'
import { startUp } from './start-up.ts'
import { streams } from './streams.ts'
import { machine, table } from './table.ts'
import { waits } from './waits.ts'
import { warm } from './warm.ts'
import { Workshop } from './workshop.ts'
import { writes } from './writes.ts'

type Part = (bench: Bench) => Promise<Figure[]>

/** Each suite ends within five minutes. */
const SUITES: Record<string, Record<string, Part>> = {
  daemon: { reads, writes, growth, history, memory, restart },
  peers: { 'catch-up': catchUp, lag, repair, 'fan-out': fanOut, quiet },
  dialects: { streams },
  seat: { waits, inbox, brief },
  load: { crowd, warm },
  setup: { 'start-up': startUp, hook },
}
const PARTS: Record<string, Part> = Object.assign({}, ...Object.values(SUITES))

const HELP = `npm run bench -- [--json] [--quick] [SUITE | PART]...
  --json   print JSON instead of the table
  --quick  shorter runs, to see that all works; the figures are rough
  SUITE    ${Object.keys(SUITES).join(' | ')}; default: all
  PART     ${Object.keys(PARTS).join(' | ')}
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const unknown = positionals.find((name) => !Object.hasOwn({ ...SUITES, ...PARTS }, name))
  if (values.help === true || unknown !== undefined) {
    process.stdout.write(HELP)
    if (unknown !== undefined) process.exitCode = 2
    return
  }
  const chosen = new Set(positionals.flatMap((name) => Object.keys(SUITES[name] ?? { [name]: null })))
  const parts = Object.entries(PARTS).filter(([name]) => chosen.size === 0 || chosen.has(name))

  using workshop = new Workshop()
  process.on('exit', () => workshop[Symbol.dispose]())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  const progress = new Progress()
  const generator = workshop.fork('load.ts')
  const figures: Figure[] = []
  for (const [, measure] of parts)
    figures.push(
      ...(await measure({ workshop, generator, progress, brevity: values.quick === true ? 4 : 1 })),
    )
  progress.end()
  process.stdout.write(
    values.json === true ? `${JSON.stringify({ machine: machine(), figures }, null, 2)}\n` : table(figures),
  )
}

await main()
