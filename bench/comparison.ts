import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Progress } from './progress.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** Installs what only serves as comparison, into the bench's own node_modules, unless it is there. */
export function installComparison(progress: Progress): void {
  if (existsSync(`${HERE}node_modules/express-pouchdb`)) return
  progress.step('installing what it is compared with (npm ci --prefix bench)')
  const { status } = spawnSync('npm', ['ci', '--prefix', HERE, '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('The packages in bench/package.json could not be installed; see above')
}
