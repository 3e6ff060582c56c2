import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cacpd } from './captured-terminal.ts'

async function scriptFor(shell: string): Promise<string> {
  const { exitCode, out } = await cacpd(['completion', shell])
  expect(exitCode).toBe(0)
  return out
}

/** What bash offers for the last of these words. */
function offeredInBash(script: string, words: readonly string[]): string[] {
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cacpd; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', ask, 'bash', ...words], { encoding: 'utf8' })
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
