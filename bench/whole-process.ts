import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const LAUNCHER = fileURLToPath(new URL('../bin/cacpd.js', import.meta.url))

/** Runs node with these arguments; the time is that from its start to its end. */
export function wholeProcess(
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Readonly<Record<string, string>> } = {},
): { out: string; millis: number } {
  const began = performance.now()
  const { stdout } = spawnSync(process.execPath, args, {
    input,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  })
  return { out: stdout, millis: performance.now() - began }
}
