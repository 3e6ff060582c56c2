import { once } from 'node:events'
import { chmod, open, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/**
 * Beside its lock a process listens at a socket for as long as it lives; the kernel ends that with the process, however
 * it ends. It is found by its file, so whoever has the same directory mounted can ask, also from another container.
 */
const nameOf = (nonce: string): string => `lock.${nonce}.sock`
export const SOCKET_NAME = /^lock\.([0-9a-f-]{36})\.sock$/

export const socketPath = (directory: string, nonce: string): string => join(directory, nameOf(nonce))

/** Undefined where none can be had: there are file systems without, and full ones. */
export async function openLockSocket(directory: string, nonce: string): Promise<AsyncDisposable | undefined> {
  // Elsewhere nobody needs to ask: a pid says enough.
  if (process.platform !== 'linux') return undefined
  const path = socketPath(directory, nonce)
  const server = createServer((socket) => socket.destroy()).unref()
  // Whoever asks while the process has no more descriptors asks again; it must not end by that.
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

/** Whether the process lives that listens there; undefined when that cannot be told. */
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
    // More ask at the same time than it has come to look at.
    if (code === 'EAGAIN') return true
    return code === 'ECONNREFUSED' ? false : undefined
  }
}

/** The path of a socket has room for about a hundred bytes, and a data directory may lie deeper. */
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
