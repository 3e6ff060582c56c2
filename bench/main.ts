import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { catchUp } from './catch-up.ts'
import type { Figure } from './figure.ts'
import { growth } from './growth.ts'
import { Progress } from './progress.ts'
import { reads } from './reads.ts'
import { restart } from './restart.ts'
import { machine, table } from './table.ts'
import { Workshop } from './workshop.ts'
import { writes } from './writes.ts'

const PARTS: Record<string, (bench: Bench) => Promise<Figure[]>> = { reads, writes, growth, restart, catchUp }

const HELP = `npm run bench -- [--json] [--quick] [PART...]
  --json   print JSON instead of the table
  --quick  shorter runs, to see that all works; the figures are rough
  PART     ${Object.keys(PARTS).join(' | ')}; default: all
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name))
  if (values.help === true || unknown !== undefined) {
    process.stdout.write(HELP)
    if (unknown !== undefined) process.exitCode = 2
    return
  }
  const parts = Object.entries(PARTS).filter(
    ([name]) => positionals.length === 0 || positionals.includes(name),
  )

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
