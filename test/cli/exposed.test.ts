import { describe, expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { folderWith } from '../support/folders/folder.ts'
import { cacpd } from './captured-terminal.ts'

describe('cacpd start at an address that others can call', () => {
  test.each([
    [['--host', '0.0.0.0'], '--public-url https://NAME:PORT'],
    [['--host', '0.0.0.0', '--open'], 'leave out --open, or --host 0.0.0.0'],
    [['--public-url', 'https://a.example', '--open'], 'leave out --open, or --public-url'],
    [['--host', '::', '--public-url', 'http://a.example'], 'must be an https URL without a path'],
    [['--tls-cert', 'cert.pem'], '--tls-cert and --tls-key'],
  ])('with %j refuses, and says what to do', async (flags, advice) => {
    await using folder = await folderWith()
    const { exitCode, out, err } = await cacpd(['start', '--port', '0', ...flags], { cwd: folder.path })
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(advice)
  })

  test('with a certificate that is not there refuses too', async () => {
    await using folder = await folderWith()
    const flags = ['--port', '0', '--tls-cert', 'cert.pem', '--tls-key', 'key.pem']
    const { exitCode, err } = await cacpd(['start', ...flags], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(err).toMatch(/certificate at .+cert\.pem cannot be read \(ENOENT\)/)
  })
})

test('status shows by which URL others reach a daemon, and commands reach it themselves', async () => {
  await using backend = await daemon({ publicUrl: 'https://team.example' })
  const { out } = await cacpd(['status', '--json', '--data', backend.dataDir], { cwd: backend.dataDir })
  expect(JSON.parse(out)).toMatchObject({ url: backend.url, publicUrl: 'https://team.example' })
})
