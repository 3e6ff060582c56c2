import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

describe('cacpd search', () => {
  let running: TestDaemon
  let cwd: string
  let projectId: string
  let contractId: string

  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    ;({ projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '' }))
    const contract = { projectId, type: 'custom', name: 'Profile', content: { path: '/me\u001b[31m' } }
    ;({ contractId } = await running.rpc('cacp/contract/propose', contract))
    await running.rpc('cacp/context/askQuestion', { projectId, question: 'Who reads the profile?' })
  })
  afterAll(() => running[Symbol.asyncDispose]())

  test('shows what it found, in which project by its name, and what it says, without control characters', async () => {
    const { exitCode, out, err } = await cacpd(['search', 'profle', '--kind', 'contract'], { cwd })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toMatch(
      new RegExp(
        `^contract Profile ${contractId.slice(0, 13)}\\n  in Login, \\d+ s ago\\n  path /me \\[31m\\n$`,
      ),
    )
  })

  test('says how many more there are, and that there are none', async () => {
    const { out, err } = await cacpd(['search', 'profile', '--limit', '1', '--project', projectId], { cwd })
    expect(out.split('\n')[0]).toMatch(/^contract /)
    expect(err).toBe('the best 1 of 2; --limit shows more\n')
    expect((await cacpd(['search', 'nothing', 'like', 'this'], { cwd })).out).toBe('none\n')
  })

  test('is JSON where asked', async () => {
    const { out } = await cacpd(['search', 'profile', '--json'], { cwd })
    expect(JSON.parse(out)).toMatchObject({ total: 2, hits: [{ id: contractId }, { kind: 'context' }] })
  })

  test.each([
    { words: [], says: /missing required argument 'words'/ },
    { words: ['x', '--kind', 'repo'], says: /Allowed choices are contract, context, response/ },
    {
      words: ['x', '--limit', 'many'],
      says: /'--limit <number>' argument 'many' is invalid. It must be a number/,
    },
  ])('refuses $words', async ({ words, says }) => {
    const { exitCode, err } = await cacpd(['search', ...words], { cwd })
    expect(exitCode).toBe(2)
    expect(err).toMatch(says)
  })
})
