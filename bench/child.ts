import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a child of the bench says to it, and how it ends: with the bench, whatever ended that. */

export function tell(message: unknown): void {
  process.send?.(message)
}

export function endWithParent(): void {
  process.on('disconnect', () => process.exit())
  // Ctrl-C reaches the whole group; the bench itself decides what ends when.
  process.on('SIGINT', () => {})
}

/** Listens on a free port of the loopback interface and says which. */
export function tellPort(app: { listen(port: number, host: string, onListening: () => void): Server }): void {
  endWithParent()
  const server = app.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }))
  server.keepAliveTimeout = 65_000
}
