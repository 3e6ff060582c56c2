import { chmod, readdir, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { isOwnDirectory } from '../../../../src/io/store/directory/layout.ts'
import { daemon } from '../../../support/daemons/daemon.ts'

test('all that a daemon leaves in its data directory is known to be its own, so that directory is kept private', async () => {
  await using exposed = await daemon({ host: '0.0.0.0', publicUrl: 'https://localhost:8443' })
  await exposed.rpc('cacp/project/create', { name: 'Auth', objective: 'Log in' })
  await chmod(exposed.dataDir, 0o755)
  await exposed.restart()
  expect(await readdir(exposed.dataDir)).toEqual(
    expect.arrayContaining(['identity.json', 'tls.pem', 'audit-000001.ndjson']),
  )
  expect(isOwnDirectory(await readdir(exposed.dataDir))).toBe(true)
  expect((await stat(exposed.dataDir)).mode & 0o777).toBe(0o700)
})

test("what anybody else put there is not its own, so somebody's home is never taken for a data directory", () => {
  expect(isOwnDirectory(['IDENT', 'thesis.txt'])).toBe(false)
  expect(isOwnDirectory(['audit-2025.txt'])).toBe(false)
})
