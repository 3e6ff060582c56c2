import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Progress } from './progress.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** Installs what only serves as comparison, into the bench's own node_modules, unless it is there. */
export function installComparison(progress: Progress): void {
  const { dependencies } = JSON.parse(readFileSync(`${HERE}package.json`, 'utf8')) as {
    dependencies: Record<string, string>
  }
  if (Object.keys(dependencies).every((name) => existsSync(`${HERE}node_modules/${name}`))) return
  progress.step('installing what it is compared with (npm ci --prefix bench)')
  const { status } = spawnSync('npm', ['ci', '--prefix', HERE, '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('The packages in bench/package.json could not be installed; see above')
}
