import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { packageCopy } from '../../support/daemons/package-copy.ts'
import { startProcess } from '../../support/daemons/process.ts'
import { rpcTo } from '../../support/daemons/rpc-to.ts'
import { folderWith } from '../../support/folders/folder.ts'

/** Packages that are not there cannot be loaded, and whoever asks for a hub is told so. */
test('a daemon without a hub loads nothing of NATS', async () => {
  await using installed = await packageCopy('0.0.1')
  await rm(join(dirname(installed.launcher), '..', 'node_modules', '@nats-io'), { recursive: true })
  await using folder = await folderWith()
  const flags = ['--port', '0', '--log-level', 'debug']
  const daemon = await startProcess(folder.at('.cacp'), flags, { launcher: installed.launcher })
  try {
    const isLoaded = () => expect(daemon.log()).toContain('every part of the program is loaded')
    await vi.waitFor(isLoaded, { timeout: 60_000, interval: 100 })
    expect(await rpcTo(daemon, 'cacp/hub/status', {})).toEqual({ hub: null })
    await expect(rpcTo(daemon, 'cacp/hub/connect', { url: 'nats://127.0.0.1:9' })).rejects.toThrow(
      'The part of the program that reaches hubs cannot be loaded',
    )
  } finally {
    await daemon.stop('SIGKILL')
  }
}, 120_000)
