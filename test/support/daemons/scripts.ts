import { execFileSync } from 'node:child_process'

/** A command that runs a few lines of JavaScript, as a module. */
export function node(script: string): string[] {
  return [process.execPath, '--input-type=module', '--eval', script, '--']
}

/** Whether there is such a process, other than one that only waits to be collected. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}
