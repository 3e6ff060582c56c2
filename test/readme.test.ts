import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const ROOT = new URL('..', import.meta.url).pathname

interface Step {
  command: string
  output: string
}

/** The commands of the tour (`$ …`), each with the output that the README shows below it. */
function stepsOf(readme: string): Step[] {
  const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...output] = step.trimEnd().split('\n')
        return { command, output: output.join('\n') }
      }),
  )
}

/** Ids, times, keys and the name of the folder differ from run to run; nothing else may. */
const normalized = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}\b/g, '<short id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ (s|min) ago/g, '<time>')
    .replace(/\bcacpd-readme-\w+/g, 'cacpd')
    .replace(/aid:\/\/[a-z0-9.-]+\/(cacpd(-readme-\w+)?|mobile-app)@1\.0\.0/g, '<aid>')
    .replace(/Paired with \S+/g, 'Paired with <repo>')
    .replace(/same words: .+/g, 'same words: <words>')
    .replace(/[ \t]+/g, ' ')
    .trim()

async function freshClone(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cacpd-readme-'))
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  for (const file of files.toString().split('\0').filter(Boolean))
    await cp(join(ROOT, file), join(folder, file))
  return folder
}

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
    const steps = stepsOf(readme)
    expect(steps.length).toBeGreaterThan(15)
    const script = steps.map(({ command }) => `printf '\\x1e'\n${command}`).join('\n')
    const outputs = (await outputOf(script, folder)).split('\x1e').slice(1)
    expect(
      steps.map((step, index) => ({ command: step.command, output: normalized(outputs[index] ?? '') })),
    ).toEqual(steps.map((step) => ({ command: step.command, output: normalized(step.output) })))
  } finally {
    if (started.exitCode === null && started.pid !== undefined) {
      const { pid } = started
      process.kill(-pid, 'SIGTERM')
      // The shell of npm ends before the daemon, which still writes into the folder.
      await expect.poll(() => isAnybodyLeft(pid), { timeout: 20_000 }).toBe(false)
    }
    await rm(folder, { recursive: true, force: true })
  }
}, 240_000)

/** What a script prints. Whatever it started and did not stop ends with it. */
async function outputOf(script: string, cwd: string): Promise<string> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env: cleanEnv(), detached: true })
  try {
    // What it left running holds its output open, also where a step has failed.
    const exited = once(shell, 'exit').finally(() => endGroup(shell.pid))
    const [out, err, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), exited])
    if (code !== 0) throw new Error(`the tour ended with ${code}: ${err}`)
    return out
  } finally {
    endGroup(shell.pid)
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch {
    // Nobody of it is left.
  }
}

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

/** Without what npm and vitest put there for the test run itself. */
function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|VITEST|NODE_ENV|CACP_|INIT_CWD)/i.test(name) || /^npm_config_/i.test(name),
    ),
  )
}
