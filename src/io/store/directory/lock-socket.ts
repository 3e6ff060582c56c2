import { once } from 'node:events'
import { chmod, open, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/**
 * A process that holds a lock listens at a socket until it ends; however it ends, the kernel closes the socket. The
 * socket has a path in the directory, so a process in another container that has the directory mounted can connect to
 * it and learn whether the holder runs.
 */
const nameOf = (nonce: string): string => `lock.${nonce}.sock`
export const SOCKET_NAME = /^lock\.([0-9a-f-]{36})\.sock$/

export const socketPath = (directory: string, nonce: string): string => join(directory, nameOf(nonce))

/** Undefined where no socket can be made: some file systems have none, and a disk may be full. */
export async function openLockSocket(directory: string, nonce: string): Promise<AsyncDisposable | undefined> {
  // On other systems a pid is enough.
  if (process.platform !== 'linux') return undefined
  const path = socketPath(directory, nonce)
  const server = createServer((socket) => socket.destroy()).unref()
  // When the process has run out of descriptors, accepting fails; that must not end the process, and the other side
  // tries again.
  server.on('error', () => {})
  const end = async () => {
    server.close()
    await rm(path, { force: true })
  }
  try {
    await throughShortPath(directory, nonce, async (short) => {
      server.listen(short)
      await once(server, 'listening')
    })
    await chmod(path, 0o600)
    return { [Symbol.asyncDispose]: end }
  } catch {
    await end().catch(() => {})
    return undefined
  }
}

/** Whether the process that listens there runs; undefined when that cannot be determined. */
export async function answersAtSocket(directory: string, nonce: string): Promise<boolean | undefined> {
  try {
    return await throughShortPath(directory, nonce, async (short) => {
      const socket = connect(short)
      try {
        await once(socket, 'connect')
        return true
      } finally {
        socket.destroy()
      }
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The queue of connections is full: so there is a listener.
    if (code === 'EAGAIN') return true
    return code === 'ECONNREFUSED' ? false : undefined
  }
}

/** The path of a socket may have about a hundred bytes only, and a data directory may lie deeper. */
async function throughShortPath<Result>(
  directory: string,
  nonce: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await open(directory)
  try {
    return await use(`/proc/self/fd/${folder.fd}/${nameOf(nonce)}`)
  } finally {
    await folder.close()
  }
}
