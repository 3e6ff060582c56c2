import { readFileSync } from 'node:fs'

/** Memory of a process that is not swapped out: now, and the most that it ever had. */
export const residentBytes = (pid: number): number => statusOf(pid, 'VmRSS')
export const mostResidentBytes = (pid: number): number => statusOf(pid, 'VmHWM')

function statusOf(pid: number, name: string): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  return Number(line?.match(/\d+/)?.[0]) * 1024
}
