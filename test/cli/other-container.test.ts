import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { LAUNCHER } from '../../src/launcher.ts'
import { startProcess } from '../support/daemons/process.ts'
import { rpcTo } from '../support/daemons/rpc-to.ts'
import { folderWith } from '../support/folders/folder.ts'
import { hasNamespaces, NAMESPACES } from '../support/network/namespaces.ts'

const FLAGS = ['--port', '0', '--repo', 'backend-api']

/** Runs the built program in a pid and network namespace of its own; answers its exit code and all that it said. */
function inContainer(words: readonly string[], dataDir: string): Promise<{ exitCode: number; said: string }> {
  const [program = '', ...before] = NAMESPACES['a container']
  const command = [...before, process.execPath, LAUNCHER, ...words, '--data', dataDir]
  return new Promise((resolve) => {
    execFile(program, command, { env: { ...process.env, CACP_DATA: '' } }, (error, out, err) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), said: `${out}${err}` }),
    )
  })
}

test.skipIf(!hasNamespaces)(
  'a container that shares the data directory of a daemon is told so by every command, and writes nothing',
  async () => {
    await using folder = await folderWith()
    const dataDir = folder.at('.cacp')
    const daemon = await startProcess(dataDir, FLAGS)
    try {
      for (const words of [['start'], ['up', '-d'], ['status'], ['down']]) {
        const { exitCode, said } = await inContainer(words, dataDir)
        expect([words, exitCode, said]).toEqual([
          words,
          1,
          expect.stringContaining(
            `${dataDir} is in use by process ${daemon.child.pid} in another container (`,
          ),
        ])
        expect(said).toContain('Use or stop that daemon there, or start this one with another --data')
      }
      const { projectId } = await rpcTo(daemon, 'cacp/project/create', { name: 'p', objective: 'o' })
      await daemon.stop('SIGKILL')
      const again = await startProcess(dataDir, FLAGS)
      expect(await rpcTo(again, 'cacp/project/get', { projectId })).toMatchObject({ name: 'p' })
      await again.stop('SIGTERM')
    } finally {
      await daemon.stop('SIGKILL')
    }
  },
  60_000,
)
