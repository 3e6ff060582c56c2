import { join } from 'node:path'
import type { RouteTable } from '../../domain/mock/routes.ts'
import { failureText, type Shown, Tally } from '../../domain/mock/tally.ts'
import { createFits } from '../../io/mock/fit-check.ts'
import { createHarFile, readHar } from '../../io/mock/har-file.ts'
import { startProxy } from '../../io/mock/proxy.ts'
import { assertNoSymbolicLinks } from '../../io/store/directory/symbolic-links.ts'
import { VERSION } from '../../version.ts'

/** What exchanges showed, contract by contract. */
export interface Observation {
  readonly shown: readonly Shown[]
  /** Exchanges that no contract describes. */
  readonly unknown: number
  /** The hash of the file that has the exchanges. */
  readonly har: string
}

export type OpenProxy = Awaited<ReturnType<typeof openProxy>>

interface ProxyPlace {
  readonly upstream: URL
  readonly port: number
  readonly dataDir: string
  readonly table: () => RouteTable
  /** Told of every exchange that does not fit. */
  readonly tell: (line: string) => void
}

/** A proxy before a server that judges what goes by, and keeps it without secrets in the data directory. */
export async function openProxy({ upstream, port, dataDir, table, tell }: ProxyPlace) {
  const tally = new Tally(createFits())
  await assertNoSymbolicLinks(dataDir)
  const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}`
  const file = await createHarFile(join(dataDir, 'exchanges'), name, { name: 'cacpd', version: VERSION })
  const proxy = await startProxy({
    upstream,
    port,
    observe(observed) {
      const judged = tally.note(table(), observed.exchange)
      file.add(observed, judged !== undefined)
      if (judged !== undefined && judged.misfits.length > 0) tell(failureText(judged.match, judged))
    },
  })
  return {
    url: proxy.url,
    path: file.path,
    async end(): Promise<Observation> {
      await proxy[Symbol.asyncDispose]()
      const har = await file.close()
      return { shown: tally.shown(), unknown: tally.unknown, har }
    },
  }
}

/** The same of exchanges that something else recorded. */
export async function observeHar(
  path: string,
  { table, origin, tell }: { table: RouteTable; origin: string | undefined; tell: (line: string) => void },
): Promise<Observation> {
  const tally = new Tally(createFits())
  const each = (exchange: Parameters<Tally['note']>[1]) => {
    const judged = tally.note(table, exchange)
    if (judged !== undefined && judged.misfits.length > 0) tell(failureText(judged.match, judged))
  }
  const { sha256, skipped } = await readHar(path, { origin, each })
  if (skipped > 0) tell(`${skipped} entries of the HAR were too long, or no JSON, and were left out`)
  return { shown: tally.shown(), unknown: tally.unknown, har: sha256 }
}

export const coverageOf = ({ count, failed, seen, of }: Shown): string =>
  `${count} ${count === 1 ? 'request' : 'requests'}, ${failed} did not fit, ${seen.length} of ${of} places seen`
