/** What is known of the machine that the tests run on. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv
  /** Where its browser is. */
  readonly browser: string | undefined
  /** Whether a browser can be installed: by root, with the packages of Debian. */
  readonly canInstall: boolean
}

export type BrowserPlan =
  | { readonly act: 'run'; readonly browser: string }
  | { readonly act: 'install' }
  | { readonly act: 'fail' | 'skip'; readonly reason: string }

const LACKING = 'browser tests need chromium: apt-get install chromium, or CACPD_TEST_BROWSER=/path'

/** Whether browser tests run on a machine. They are skipped only where a person works who has no browser, or says so. */
export function browserPlan({ env, browser, canInstall }: Machine): BrowserPlan {
  const wish = env['CACPD_BROWSER_TESTS'] ?? ''
  if (!['', 'off', 'require'].includes(wish))
    return { act: 'fail', reason: `CACPD_BROWSER_TESTS is off, require or not set, but not ${wish}` }
  if (wish === 'off') return { act: 'skip', reason: 'CACPD_BROWSER_TESTS=off' }
  if (browser !== undefined) return { act: 'run', browser }
  const named = env['CACPD_TEST_BROWSER'] ?? ''
  if (named !== '')
    return { act: 'fail', reason: `CACPD_TEST_BROWSER=${named} is no program that can be run` }
  if (canInstall) return { act: 'install' }
  const isNeeded = wish === 'require' || (env['CI'] ?? '') !== ''
  return { act: isNeeded ? 'fail' : 'skip', reason: LACKING }
}
