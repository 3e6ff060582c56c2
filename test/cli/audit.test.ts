import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { cacpd } from './captured-terminal.ts'

const NO_KEY = { authorization: '' }
const REFUSED = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }

describe('cacpd audit', () => {
  test('lists who did what and who was refused, newest first', async () => {
    await using backend = await daemon()
    const cwd = dirname(backend.dataDir)
    await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    await backend.post(REFUSED, NO_KEY)
    const { exitCode, out, err } = await cacpd(['audit'], { cwd })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    const [, heading, ...rows] = out.trimEnd().split('\n')
    expect(heading?.trim().split(/\s+/).slice(0, 5)).toEqual(['at', 'outcome', 'what', 'fault', 'caller'])
    expect(rows.map((row) => row.trim().split(/ {2,}/).slice(1, 5))).toEqual([
      ['refused', 'cacp/project/list', 'unauthorized', 'anonymous'],
      ['allowed', 'cacp/project/create', '-', 'operator'],
    ])
  })

  test('filters as it is told', async () => {
    await using backend = await daemon()
    const cwd = dirname(backend.dataDir)
    for (const name of ['a', 'b']) await backend.rpc('cacp/project/create', { name, objective: 'o' })
    await backend.post(REFUSED, NO_KEY)
    const whats = async (...words: string[]) =>
      JSON.parse((await cacpd(['audit', ...words, '--json'], { cwd })).out).lines.map(
        ({ what }: { what: string }) => what,
      )
    expect(await whats('--refused')).toEqual(['cacp/project/list'])
    // The look before is in it by now.
    expect(await whats('--limit', '1')).toEqual(['cacp/audit/list'])
    expect(await whats('--agent', 'aid://example.com/nobody@1.0.0')).toEqual([])
    expect(await whats('--agent', 'aid://example.com/backend@1.0.0', '--since', '1h')).toContain(
      'cacp/project/create',
    )
    expect(await whats('--since', '2999-01-01T00:00:00Z')).toEqual([])
  })

  test('says what is wrong with a time', async () => {
    await using backend = await daemon()
    const { exitCode, err } = await cacpd(['audit', '--since', 'yesterday'], {
      cwd: dirname(backend.dataDir),
    })
    expect(exitCode).toBe(2)
    expect(err).toContain('since: must be an ISO 8601 time')
  })
})
