import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** Pure, or in memory: what one runs while working. */
const FAST =
  /^(?:(?:protocol|domain|methods|engine|dialects|setup|requirements)\/|(?:architecture|describe|spread-arguments|client-types)\.test\.ts$)/

/** In one of those folders, but with real daemons and processes, or ten thousand cases a law. */
const SLOW = new Set([
  'dialects/acceptance.test.ts',
  'domain/interface/laws/laws.test.ts',
  'domain/interface/oracle.test.ts',
  'domain/statements/laws.test.ts',
  'engine/runs/killed.test.ts',
  'methods/runs/run.test.ts',
  'methods/seat/surfacing.test.ts',
])

const files = readdirSync(new URL('./test', import.meta.url), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts'),
)
const isFast = (file: string): boolean => FAST.test(file) && !SLOW.has(file)
const paths = (some: readonly string[]): string[] => some.map((file) => `test/${file}`)

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Left alone, vitest keeps one processor for itself, which on a small machine is half of all.
    maxWorkers: '100%',
    projects: [
      // Nothing is mocked there: one load of the modules serves all files of a worker.
      { extends: true, test: { name: 'fast', include: paths(files.filter(isFast)), isolate: false } },
      { extends: true, test: { name: 'slow', include: paths(files.filter((file) => !isFast(file))) } },
    ],
  },
})
