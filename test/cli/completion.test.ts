import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kebab } from '../../src/cli/kebab.ts'
import { NAMED_OPTIONS } from '../../src/cli/named-options.ts'
import { METHODS } from '../../src/methods/table.ts'
import { namedFieldsOf } from '../../src/protocol/named.ts'
import { daemon, type TestDaemon } from '../support/daemon.ts'
import { cacpd } from './captured-terminal.ts'

async function scriptFor(shell: string): Promise<string> {
  const { exitCode, out } = await cacpd(['completion', shell])
  expect(exitCode).toBe(0)
  return out
}

/** What bash offers for the last of these words. */
function offeredInBash(script: string, words: readonly string[], cwd = tmpdir()): string[] {
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cacpd; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', ask, 'bash', ...words], { encoding: 'utf8', cwd })
    .split('\n')
    .filter(Boolean)
}

test('bash completes commands, methods below them and their options', async () => {
  const script = await scriptFor('bash')
  expect(offeredInBash(script, ['cacpd', 'contr'])).toEqual(['contract'])
  expect(offeredInBash(script, ['cacpd', 'contract', 'pro'])).toEqual(['propose'])
  expect(offeredInBash(script, ['cacpd', 'contract', 'propose', '--proj'])).toEqual(['--project-id'])
  expect(offeredInBash(script, ['cacpd', 'peers', 'rev'])).toEqual(['revoke'])
  expect(offeredInBash(script, ['cacpd', 'completion', ''])).toEqual(['bash', 'zsh', 'fish', '--help'])
  expect(offeredInBash(script, ['cacpd', 'hook', 'c'])).toEqual(['claude', 'codex', 'cursor'])
  expect(offeredInBash(script, ['cacpd', 'peers', '--data', 'peers', 'rev'])).toEqual(['revoke'])
})

test.each(['bash', 'zsh', 'fish'])('the script for %s knows every command that help shows', async (shell) => {
  const help = await cacpd(['--help'])
  const script = await scriptFor(shell)
  const shown = [...help.out.matchAll(/^ {2}([a-z]+(?:, [a-z]+)*) {2}/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  expect(shown.length).toBeGreaterThan(30)
  for (const name of shown) expect(script).toContain(`cacpd ${name}'`)
})

test('a shell that is not known is wrong usage', async () => {
  const { exitCode, err } = await cacpd(['completion', 'tcsh'])
  expect(exitCode).toBe(2)
  expect(err).toContain('bash, zsh or fish')
})

test('every param that names something has an option that values are offered for', () => {
  const offered = new Set(Object.values(NAMED_OPTIONS).flat())
  const named = METHODS.filter(({ access }) => access !== 'sync').flatMap(({ params }) => {
    const { project, words } = namedFieldsOf(params)
    return [project?.key ?? [], words.map(({ key }) => key)].flat()
  })
  // Beside methods this option is whom the caller acts as; `cacpd peers` takes peers without it.
  const options = named.filter((key) => key !== 'agentId').map((key) => `--${kebab(key)}`)
  expect(options.filter((option) => !offered.has(option))).toEqual([])
})

describe('with a daemon', () => {
  const HOSTILE = '$(touch hacked) `id` "x'
  let running: TestDaemon
  let cwd: string
  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
    await running.rpc('cacp/project/create', { name: 'User login', objective: 'o', repos })
    const { projectId } = await running.rpc('cacp/project/create', { name: 'Other', objective: 'o' })
    await running.rpc('cacp/contract/propose', { projectId, type: 'custom', name: HOSTILE, content: {} })
  })
  afterAll(() => running[Symbol.asyncDispose]())

  const offered = async (...words: string[]) => (await cacpd(['complete', ...words], { cwd })).out

  test('values are offered: what things go by, in the project that the command line names', async () => {
    expect(await offered('project', '--', 'cacpd', 'use')).toBe('User login\nOther\n')
    expect(await offered('contract', '--', 'cacpd', 'contract', 'get', '--project-id', 'Other')).toBe(
      `${HOSTILE}\n`,
    )
    expect(await offered('repo', '--', 'cacpd', 'repo', 'release', '--project-id', 'User login')).toBe(
      'backend-api\nfrontend-app\n',
    )
    // Which project, nobody said.
    expect(await offered('contract', '--', 'cacpd', 'contract', 'get')).toBe('')
  })

  test('nothing is said where no daemon runs, nor of what is no kind of thing', async () => {
    const nowhere = await cacpd(['complete', 'project', '--', 'cacpd'], { cwd: tmpdir() })
    expect(nowhere).toMatchObject({ exitCode: 0, out: '', err: '' })
    expect(await offered('constructor', '--', 'cacpd')).toBe('')
  })

  test('bash offers them quoted, and runs nothing of what others wrote', async () => {
    const script = await scriptFor('bash')
    const values = join(cwd, 'values')
    writeFileSync(values, await offered('contract', '--', 'cacpd', '--project-id', 'Other'))
    const asked = `cacpd() { echo "$@" >&2; cat '${values}'; }\n${script}`
    const words = ['cacpd', 'contract', 'get', '--contract-id', '']
    const [value = ''] = offeredInBash(asked, words, cwd)
    const back = execFileSync('bash', ['--norc', '-c', `printf %s ${value}`], { encoding: 'utf8' })
    expect(back).toBe(HOSTILE)
    expect(existsSync(join(cwd, 'hacked'))).toBe(false)
  })
})
