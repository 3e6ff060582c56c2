import { describe, expect, test } from 'vitest'
import { findBrowser } from './find-browser.ts'
import { browserPlan, type Machine } from './plan.ts'
import { thisMachine } from './this-machine.ts'

const BARE: Machine = { env: {}, browser: undefined, canInstall: false }
const BROWSER = '/usr/bin/chromium'

describe('browser tests', () => {
  test.each<[string, Partial<Machine>, string]>([
    ['run where there is a browser', { browser: BROWSER }, 'run'],
    ['run in CI where there is a browser', { browser: BROWSER, env: { CI: 'true' } }, 'run'],
    ['get a browser where root can install one', { canInstall: true }, 'install'],
    ['get a browser in CI where root can install one', { canInstall: true, env: { CI: 'true' } }, 'install'],
    ['fail in CI without', { env: { CI: 'true' } }, 'fail'],
    ['fail where they are required', { env: { CACPD_BROWSER_TESTS: 'require' } }, 'fail'],
    ['are skipped for a developer without', {}, 'skip'],
    ['are skipped when switched off', { browser: BROWSER, env: { CACPD_BROWSER_TESTS: 'off' } }, 'skip'],
    ['fail where the wish is not understood', { env: { CACPD_BROWSER_TESTS: 'no' } }, 'fail'],
    ['fail where the named browser is not there', { env: { CACPD_TEST_BROWSER: '/nowhere' } }, 'fail'],
  ])('%s', (_sentence, machine, act) => {
    expect(browserPlan({ ...BARE, ...machine }).act).toBe(act)
  })

  test('say what they need when they cannot run', () => {
    const reason = 'browser tests need chromium: apt-get install chromium, or CACPD_TEST_BROWSER=/path'
    expect(browserPlan(BARE)).toEqual({ act: 'skip', reason })
  })

  test('are skipped here only if a person wants that, or has no browser and cannot install one', () => {
    const machine = thisMachine()
    const isOff = machine.env['CACPD_BROWSER_TESTS'] === 'off'
    const mayLack = machine.env['CI'] === undefined && (isOff || !machine.canInstall)
    if (!mayLack) expect(browserPlan(machine)).toMatchObject({ act: 'run' })
  })
})

describe('the browser is looked for', () => {
  test('where CACPD_TEST_BROWSER says, and nowhere else then', () => {
    expect(findBrowser({ CACPD_TEST_BROWSER: process.execPath })).toBe(process.execPath)
    const folder = import.meta.dirname
    for (const named of [folder, `${folder}/no-such-program`])
      expect(findBrowser({ ...process.env, CACPD_TEST_BROWSER: named })).toBeUndefined()
  })
})
