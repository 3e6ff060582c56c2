import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { cacpd } from './captured-terminal.ts'

const FIRST_LINES = /^agentId: aid:\/\/example\.com\/backend@1\.0\.0\nfingerprint: ([\w-]{43})\n/

describe('cacpd identity', () => {
  test('shows the agent ID and the fingerprint of the key that the card shows', async () => {
    await using backend = await daemon()
    const cwd = dirname(backend.dataDir)
    const shown = await cacpd(['identity'], { cwd })
    expect(shown).toMatchObject({ exitCode: 0, err: '' })
    const { keys } = (await backend.fetch('/.well-known/jwks.json')).json
    expect(FIRST_LINES.exec(shown.out)?.[1]).toBe(keys[0].kid)
    const asJson = JSON.parse((await cacpd(['identity', '--json'], { cwd })).out)
    expect(asJson).toMatchObject({ fingerprint: keys[0].kid, rotations: 0 })
  })

  test('rotate takes a new key, which is shown from then on and beside the old one', async () => {
    await using backend = await daemon()
    const cwd = dirname(backend.dataDir)
    const before = FIRST_LINES.exec((await cacpd(['identity'], { cwd })).out)?.[1]
    const rotated = await cacpd(['identity', 'rotate'], { cwd })
    expect(rotated).toMatchObject({ exitCode: 0, err: '' })
    const after = FIRST_LINES.exec(rotated.out)?.[1]
    expect(after).not.toBe(before)
    expect((await cacpd(['identity', 'get'], { cwd })).out).toBe(rotated.out)
    const { keys } = (await backend.fetch('/.well-known/jwks.json')).json
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([after, before])
    await backend.restart()
    expect((await cacpd(['identity'], { cwd })).out).toBe(rotated.out)
  })

  test('says what else it can do', async () => {
    const { out } = await cacpd(['identity', '--help'])
    expect(out).toContain('rotate')
  })
})
