import { type Browser, chromium } from 'playwright-core'
import { browserPlan } from './plan.ts'
import { thisMachine } from './this-machine.ts'

const plan = browserPlan(thisMachine())

/** Why browser tests are skipped here; undefined where they run, or have to fail. */
export const WITHOUT_BROWSER = plan.act === 'skip' ? plan.reason : undefined

/** The browser of this machine, or why there is none. */
export async function launch(args: string[] = []): Promise<Browser> {
  if (plan.act === 'install')
    throw new Error('run `npm test`, or `npm run pretest` once: it installs a browser')
  if (plan.act !== 'run') throw new Error(plan.reason)
  return await chromium.launch({ executablePath: plan.browser, args })
}
