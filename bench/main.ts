import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { type Measured, withRun } from './benchmarks-page.ts'
import { brief } from './brief.ts'
import { catchUp } from './catch-up.ts'
import { crowd } from './crowd.ts'
import { fanOut } from './fan-out.ts'
import type { Figure } from './figure.ts'
import { growth } from './growth.ts'
import { history } from './history.ts'
import { hook } from './hook.ts'
import { hubCatchUp } from './hub/catch-up.ts'
import { hubFlood } from './hub/flood.ts'
import { hubKills } from './hub/kills.ts'
import { hubSpread } from './hub/spread.ts'
import { inbox } from './inbox.ts'
import { lag } from './lag.ts'
import { memory } from './memory.ts'
import { Progress } from './progress.ts'
import { gate } from './proof/gate.ts'
import { importSpeed } from './proof/import.ts'
import { mock } from './proof/mock.ts'
import { proxy } from './proof/proxy.ts'
import { tree } from './proof/tree.ts'
import { typesSpeed } from './proof/types.ts'
import { quiet } from './quiet.ts'
import { reads } from './reads.ts'
import { repair } from './repair.ts'
import { restart } from './restart.ts'
import { reviewCost } from './review/cost.ts'
import { reviewSpeed } from './review/speed.ts'
import { verdicts } from './review/verdicts.ts'
import { startUp } from './start-up.ts'
import { streams } from './streams.ts'
import { machine, table } from './table.ts'
import { ui } from './ui.ts'
import { waits } from './waits.ts'
import { warm } from './warm.ts'
import { Workshop } from './workshop.ts'
import { writes } from './writes.ts'

type Part = (bench: Bench) => Promise<Figure[]>

/** Each suite ends within five minutes, but for the hub's: a million statements take longer. */
const SUITES: Record<string, Record<string, Part>> = {
  daemon: { reads, writes, growth, history, memory, restart },
  peers: { 'catch-up': catchUp, lag, repair, 'fan-out': fanOut, quiet },
  hub: { 'hub-spread': hubSpread, 'hub-kills': hubKills, 'hub-flood': hubFlood, 'hub-catch-up': hubCatchUp },
  dialects: { streams },
  seat: { waits, inbox, brief },
  load: { crowd, warm },
  setup: { 'start-up': startUp, hook },
  ui: { ui },
  proof: { gate, tree, mock, proxy, import: importSpeed, types: typesSpeed },
  review: { verdicts, 'review-speed': reviewSpeed, 'review-cost': reviewCost },
}
const PARTS: Record<string, Part> = Object.assign({}, ...Object.values(SUITES))

const PAGE = new URL('../docs/benchmarks.md', import.meta.url)

const HELP = `npm run bench -- [--json] [--quick | --write] [SUITE | PART]...
  --json   print JSON instead of the table
  --write  also put the rows into docs/benchmarks.md, with the machine and the date, and the charts beside it
  --quick  shorter runs, to see that all works; the figures are rough
  SUITE    ${Object.keys(SUITES).join(' | ')}; default: all
  PART     ${Object.keys(PARTS).join(' | ')}
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: 'boolean' },
      quick: { type: 'boolean' },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const unknown = positionals.find((name) => !Object.hasOwn({ ...SUITES, ...PARTS }, name))
  // Rough figures are not for others to read.
  const isRough = values.write === true && values.quick === true
  if (values.help === true || unknown !== undefined || isRough) {
    process.stdout.write(HELP)
    if (unknown !== undefined || isRough) process.exitCode = 2
    return
  }
  const chosen = new Set(positionals.flatMap((name) => Object.keys(SUITES[name] ?? { [name]: null })))
  const parts = Object.entries(PARTS).filter(([name]) => chosen.size === 0 || chosen.has(name))

  using workshop = new Workshop()
  process.on('exit', () => workshop[Symbol.dispose]())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  const progress = new Progress()
  const generator = workshop.fork('load.ts')
  const measured: Measured[] = []
  const brevity = values.quick === true ? 4 : 1
  const charts = new Map<string, string>()
  for (const [part, measure] of parts)
    measured.push({ part, figures: await measure({ workshop, generator, progress, brevity, charts }) })
  progress.end()
  if (values.write === true) {
    await writePage(measured)
    for (const [name, chart] of charts) await writeFile(new URL(name, PAGE), chart)
  }
  const figures = measured.flatMap((one) => one.figures)
  process.stdout.write(
    values.json === true ? `${JSON.stringify({ machine: machine(), figures }, null, 2)}\n` : table(figures),
  )
}

async function writePage(measured: readonly Measured[]): Promise<void> {
  const run = {
    machine: machine(),
    date: new Date().toISOString().slice(0, 10),
    measured,
    parts: Object.keys(PARTS),
  }
  await writeFile(PAGE, withRun(await readFile(PAGE, 'utf8'), run))
}

await main()
