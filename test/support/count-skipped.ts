import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** The last lines of a run in which tests were skipped for want of a program: how many did not run, and why. */
export class CountSkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const reasons = modules
      .flatMap(({ children }) => [...children.allTests('skipped')])
      .flatMap((test) => reasonOf(test) ?? [])
    for (const reason of new Set(reasons)) {
      const count = reasons.filter((one) => one === reason).length
      process.stdout.write(`${count} tests did not run: ${reason}\n`)
    }
  }
}

/** Undefined for a test that is left out for another reason, as on another system. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  return result.state === 'skipped' ? result.note : undefined
}
