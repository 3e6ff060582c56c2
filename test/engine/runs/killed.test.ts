import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { trust } from '../../../src/io/identity/trusted.ts'
import { AgentSettings } from '../../../src/protocol/agent/settings.ts'
import { startProcess } from '../../support/daemons/process.ts'
import { rpcTo } from '../../support/daemons/rpc-to.ts'
import { isAlive, node } from '../../support/daemons/scripts.ts'
import { folderWith } from '../../support/folders/folder.ts'

const SCRIPT = fileURLToPath(new URL('../../support/runs/process.ts', import.meta.url))
const AGENT = {
  commands: { build: node('process.stdout.write(String(process.pid)); setInterval(() => {}, 1000)') },
}

test('a daemon that is started after a kill finds one run done and the other interrupted, and ends the command that went on', async () => {
  await using folder = await folderWith({ 'state/': '' })
  const [dataDir, stateDir] = [folder.at('.cacp'), folder.at('state')]
  await trust('agent', AgentSettings.parse(AGENT), { dataDir, stateDir })
  const first = spawn(
    process.execPath,
    ['--import', 'tsx', SCRIPT, dataDir, stateDir, JSON.stringify(AGENT)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const told = await new Promise<{ run_id: string; delta: string }>((resolve) => {
    createInterface({ input: first.stdout }).on('line', (line) => {
      const event = JSON.parse(line)
      if (event.type === 'text') resolve(event)
    })
  })
  const pid = Number(told.delta)
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(isAlive(pid)).toBe(true)

  const daemon = await startProcess(dataDir, ['--port', '0', '--log-level', 'warn'])
  try {
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
    const { run, events } = await rpcTo(daemon, 'cacp/run/get', { runId: told.run_id, after: 0 })
    expect(run).toMatchObject({
      status: 'failed',
      attempt: 1,
      failure: { kind: 'interrupted', retryable: true },
    })
    expect(events.at(-1)).toMatchObject({ type: 'failed', kind: 'interrupted' })
    const { runs } = await rpcTo(daemon, 'cacp/run/list', {})
    expect(runs).toMatchObject([{ run_id: told.run_id }, { request_id: 'done', status: 'completed' }])
    const { result } = await rpcTo(daemon, 'cacp/run/get', { runId: runs[1].run_id })
    expect(result).toMatchObject({ text: 'before', progress: 100 })
  } finally {
    await daemon.stop('SIGTERM')
  }
}, 60_000)
