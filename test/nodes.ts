import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run test:nodes [-- --major 22 --major 24] [-- words for vitest]`: the tests under every Node.js that the package
 * promises. A major that is not the running one comes from the registry, as the package that holds its binary.
 */
const { values, positionals } = parseArgs({
  options: { major: { type: 'string', multiple: true, default: ['20', '22', '24'] } },
  allowPositionals: true,
})

const ROOT = new URL('..', import.meta.url).pathname

function installed(major: string): string {
  const folder = join(ROOT, 'node_modules/.cache/nodes', major)
  const name = `node-${process.platform}-${process.arch}`
  const binary = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${major}`]
  const { status } = spawnSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0 || !existsSync(binary))
    throw new Error(`Node.js ${major} could not be installed as ${name}`)
  return binary
}

const results = values.major.map((major) => {
  const isRunning = process.versions.node.startsWith(`${major}.`)
  const binary = isRunning ? process.execPath : installed(major)
  const version = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim()
  process.stderr.write(`\nNode.js ${version}\n`)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  // Commands that tests find on the path, such as `cacpd` itself, run under the same one.
  const env = { ...process.env, PATH: `${dirname(binary)}${delimiter}${process.env['PATH']}` }
  const { status } = spawnSync(binary, [vitest, 'run', ...positionals], { cwd: ROOT, stdio: 'inherit', env })
  return { version, hasPassed: status === 0 }
})

for (const { version, hasPassed } of results)
  process.stdout.write(`Node.js ${version}: ${hasPassed ? 'passed' : 'failed'}\n`)
process.exitCode = results.every(({ hasPassed }) => hasPassed) ? 0 : 1
