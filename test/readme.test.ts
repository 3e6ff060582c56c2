import { execFileSync, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from './docs/markdown.ts'
import { cleanEnv, isExecuted, outputsOf, shown, stepsOf } from './docs/page-script.ts'

const ROOT = new URL('..', import.meta.url).pathname

async function freshClone(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cacpd-readme-'))
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  for (const file of files.toString().split('\0').filter(Boolean))
    await cp(join(ROOT, file), join(folder, file))
  return folder
}

test('the commands of the README that are not run by the tour are the two that install, start and test', async () => {
  const blocks = blocksOf(await readFile(join(ROOT, 'README.md'), 'utf8')).filter(isExecuted)
  expect(blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim())).toEqual([
    'npm install && npm start',
    'npm install && npm test',
  ])
})

test('the first command of the README starts a daemon in a fresh clone, and the tour goes as it is written', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  expect(readme).toContain('npm install && npm start')
  const folder = await freshClone()
  const started = spawn('bash', ['-c', 'npm install && exec npm start'], {
    cwd: folder,
    detached: true,
    // As where the usual one is taken: the tour goes wherever the daemon listens.
    env: { ...cleanEnv(), CACP_PORT: '0' },
  })
  try {
    await new Promise<void>((resolve, reject) => {
      let said = ''
      const hear = (data: Buffer) => {
        said += data.toString()
        if (/listens at http:\S+/.test(said)) resolve()
      }
      started.stdout.on('data', hear)
      started.stderr.on('data', hear)
      started.on('exit', (code) => reject(new Error(`npm start ended with ${code}: ${said}`)))
    })
    const steps = stepsOf(blocksOf(readme).filter(({ language }) => language === 'console'))
    expect(steps.length).toBeGreaterThan(15)
    const place = { cwd: folder, env: cleanEnv() }
    expect(await outputsOf(steps, place)).toEqual(shown(steps, place))
  } finally {
    if (started.exitCode === null && started.pid !== undefined) {
      const { pid } = started
      process.kill(-pid, 'SIGTERM')
      // The shell of npm ends before the daemon, which still writes into the folder.
      await expect.poll(() => isAnybodyLeft(pid), { timeout: 20_000 }).toBe(false)
    }
    await rm(folder, { recursive: true, force: true })
  }
}, 480_000)

/** Of the group of this process. */
function isAnybodyLeft(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

test('CI runs the second command of the README, with the packages of the lock file', async () => {
  const [readme, ci] = await Promise.all(
    ['README.md', '.ci/run'].map((name) => readFile(join(ROOT, name), 'utf8')),
  )
  expect(readme).toContain('```sh\nnpm install && npm test\n```')
  expect(ci).toMatch(/^set -euo pipefail$/m)
  expect(ci?.trimEnd().split('\n').at(-1)).toBe('npm ci && npm test')
})
