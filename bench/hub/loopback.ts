import { readFileSync } from 'node:fs'

/** What goes over the loopback interface of this machine, whoever sends it: a bench has the machine to itself. */

/** All bytes so far, with the heads of their packets. */
export function loopbackBytes(): number {
  const line = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .find((one) => one.trimStart().startsWith('lo:'))
  return Number(line?.trim().split(/[: ]+/)[1])
}

const ESTABLISHED = '01'

/** Connections that are open now, each counted once. */
export function loopbackConnections(): number {
  const lines = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1),
  )
  return lines.filter((line) => line.trim().split(/ +/)[3] === ESTABLISHED).length / 2
}
