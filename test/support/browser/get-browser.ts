import { spawnSync } from 'node:child_process'
import { browserPlan } from './plan.ts'
import { thisMachine } from './this-machine.ts'

/** The last step before the tests: sees to it that there is a browser for them, wherever one is needed. */

/** Another who installs at this moment, as fresh machines do by themselves, is waited for. */
const APT = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
const STEPS = [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]

/** Why there is no browser now; undefined where there is one. */
function install(): string | undefined {
  process.stdout.write('installing chromium for the browser tests\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const words of STEPS) {
    const { status, stderr } = spawnSync('apt-get', [...APT, ...words], { env, encoding: 'utf8' })
    if (status !== 0) return `chromium could not be installed: apt-get ${words[0]} failed\n${stderr}`
  }
  return thisMachine().browser === undefined
    ? 'apt-get installed chromium, but it is not on the path'
    : undefined
}

const plan = browserPlan(thisMachine())
const failure = plan.act === 'install' ? install() : plan.act === 'fail' ? plan.reason : undefined
if (failure !== undefined) {
  process.stderr.write(`${failure}\n`)
  process.exitCode = 1
}
