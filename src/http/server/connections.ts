import type { Server, Socket } from 'node:net'
import { oncePer } from '../../protocol/collections/once-per.ts'
import { type Visitor, visitorOf } from '../guard/visitor.ts'

export interface ConnectionLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
}

/**
 * Bounds how many are connected. Where there are too many, the one that has been here longest without showing a key
 * gives way: whoever hoards connections loses them, and whoever comes to call gets in.
 */
export function limitConnections(server: Server, limits: ConnectionLimits) {
  /** By the name of their connection, eldest first. */
  const strangers = new Map<string, { readonly socket: Socket; readonly address: string }>()
  const counts = new Map<string, number>()
  let all = 0

  server.on('connection', (socket: Socket) => {
    const { address, from, connection: name } = visitorOf(socket)
    const ofAddress = counts.get(address) ?? 0
    const isTooMany = from !== 'loopback' && ofAddress >= limits.maxConnectionsPerAddress
    const hasRoom =
      (!isTooMany || giveWay((other) => other === address)) &&
      (all < limits.maxConnections || giveWay(() => true))
    all++
    counts.set(address, (counts.get(address) ?? 0) + 1)
    strangers.set(name, { socket, address })
    socket.once('close', () => {
      all--
      strangers.delete(name)
      const left = (counts.get(address) ?? 1) - 1
      if (left === 0) counts.delete(address)
      else counts.set(address, left)
    })
    if (!hasRoom) socket.destroy()
  })

  function giveWay(mayGo: (address: string) => boolean): boolean {
    for (const [name, { socket, address }] of strangers) {
      if (!mayGo(address)) continue
      strangers.delete(name)
      socket.destroy()
      return true
    }
    return false
  }

  return {
    /** The caller on this connection has shown a key: it does not give way to strangers any more. */
    trust(visitor: Visitor): void {
      if (visitor.isTrusted) return
      visitor.isTrusted = true
      strangers.delete(visitor.connection)
    },
  }
}

const callsAtClose = oncePer((socket: Socket) => {
  const calls = new Set<() => void>()
  socket.once('close', () => {
    for (const call of [...calls]) call()
  })
  return calls
})

/**
 * Calls back when a connection is closed, unless the function that it returns is called before. An answer that
 * waits behind another one on the same connection does not hear of that by itself.
 */
export function whenClosed(socket: Socket, call: () => void): () => void {
  const calls = callsAtClose(socket)
  calls.add(call)
  return () => void calls.delete(call)
}
