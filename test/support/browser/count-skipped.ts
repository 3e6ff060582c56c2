import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** The last line of a run in which browser tests were skipped: how many did not run, and why. */
export class CountSkippedBrowserTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .filter(({ project }) => project.name === 'browser')
      .flatMap(({ children }) => [...children.allTests('skipped')])
    const [first] = skipped
    if (first !== undefined)
      process.stdout.write(`${skipped.length} browser tests did not run: ${reasonOf(first)}\n`)
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'skipped by the test itself'
}
