import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { endDaemon } from '../../../src/io/background/end-daemon.ts'
import { writeBackground } from '../../../src/io/background/state.ts'
import { rememberEndpoint } from '../../../src/io/place/data-dir.ts'
import { processStart } from '../../../src/io/runner/process-start.ts'
import { folderWith } from '../../support/folders/folder.ts'

/** Does not end when it is told to. */
async function stubborn(): Promise<{ child: ChildProcess; pid: number; processStart: string }> {
  const child = spawn('sh', ['-c', 'trap "" TERM; echo; read _'], { stdio: ['pipe', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  return { child, pid, processStart: (await processStart(pid)) ?? '' }
}

test('where a daemon hangs, it is named with the watcher that waits for it, to be killed together', async () => {
  await using folder = await folderWith()
  const [supervisor, daemon] = [await stubborn(), await stubborn()]
  const { child: _watcher, ...watcher } = supervisor
  const { child: _daemon, ...running } = daemon
  try {
    await writeBackground(folder.path, {
      ...watcher,
      phase: 'running',
      since: '2026-11-16T09:00:00.000Z',
      restarts: 0,
    })
    await rememberEndpoint(folder.path, {
      ...running,
      url: 'http://127.0.0.1:1',
      port: 1,
      agentId: 'aid://example.com/backend@1.0.0',
      repo: 'backend',
      startedAt: '2026-11-16T09:00:00.000Z',
    })
    await expect(endDaemon(folder.path, 1)).rejects.toMatchObject({
      message: expect.stringContaining(`The daemon (process ${running.pid}) was told to stop`),
      next: expect.stringContaining(`kill -9 ${watcher.pid} ${running.pid}:`),
    })
  } finally {
    for (const { child } of [supervisor, daemon]) child.kill('SIGKILL')
  }
})
