import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { DearestFirst } from './test/dearest-first.ts'
import { CountSkippedTests } from './test/support/count-skipped.ts'

/** Pure, or in memory: what one runs while working. */
const FAST =
  /^(?:(?:protocol|domain|methods|engine|dialects|setup|requirements|ui)\/|(?:architecture|describe|spread-arguments|client-types)\.test\.ts$)/

/** In one of those folders, but with real daemons, processes and waits, or ten thousand cases a law. */
const SLOW = new Set([
  'dialects/acceptance.test.ts',
  'domain/documents/round-trip.test.ts',
  'domain/interface/laws/laws.test.ts',
  'domain/interface/oracle.test.ts',
  'domain/statements/laws.test.ts',
  'engine/runs/killed.test.ts',
  'engine/work/acknowledged.test.ts',
  'engine/work/long-output.test.ts',
  'engine/work/retries.test.ts',
  'engine/work/work.test.ts',
  'methods/runs/run.test.ts',
  'methods/seat/surfacing.test.ts',
])

/** Those that put other modules or another clock in the place of the real ones, for the whole process. */
const ALONE = /^(?:sim\/|io\/background\/slow-start\.test\.ts$)/

/** What a real browser shows; two at a time, for browsers and daemons need both processors of a small machine. */
const BROWSER = /^ui\/browser\//

const files = readdirSync(new URL('./test', import.meta.url), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts'),
)
const isFast = (file: string): boolean => FAST.test(file) && !SLOW.has(file) && !BROWSER.test(file)
const isSlow = (file: string): boolean =>
  SLOW.has(file) || ![FAST, ALONE, BROWSER].some((kind) => kind.test(file))
const those = (are: (file: string) => boolean): string[] => files.filter(are).map((file) => `test/${file}`)
/**
 * Processors are idle while a test waits for processes and timers; more at once would make tests wait for each other. A
 * time limit ends what hangs, and says nothing about speed: on a busy machine a process takes long to start.
 */
const waiting = {
  maxWorkers: availableParallelism() + 3,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  sequence: { groupOrder: 1 },
}

/** Tests talk to this machine alone. Certificates of others would be read by every process that they start. */
const { NODE_EXTRA_CA_CERTS: authorities } = process.env
const env = authorities ? { NODE_EXTRA_CA_CERTS: '', NPM_CONFIG_CAFILE: authorities } : {}

export default defineConfig({
  test: {
    env,
    // Each project would transform all of src anew, and so would each run.
    experimental: { fsModuleCache: true },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Left alone, vitest keeps one processor for itself, which on a small machine is half of all.
    maxWorkers: '100%',
    sequence: { sequencer: DearestFirst },
    reporters: ['default', new CountSkippedTests()],
    projects: [
      // Nothing is mocked there: one load of the modules serves all files of a worker.
      { extends: true, test: { name: 'fast', include: those(isFast), isolate: false } },
      {
        extends: true,
        test: {
          name: 'slow',
          include: those(isSlow),
          isolate: false,
          ...waiting,
        },
      },
      { extends: true, test: { name: 'alone', include: those((file) => ALONE.test(file)), ...waiting } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: those((file) => BROWSER.test(file)),
          setupFiles: 'test/support/browser/skip-without-browser.ts',
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
