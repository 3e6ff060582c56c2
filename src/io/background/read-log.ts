import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { logPath, olderLogPath } from './state.ts'

const POLL_MILLIS = 200
const SLICE_BYTES = 64 * 1024

/**
 * The last lines of the log, oldest first; undefined where there is no log. The whole log is read, because its size
 * is bounded.
 */
export async function lastLines(dataDir: string, most: number): Promise<string[] | undefined> {
  const newer = await linesOf(logPath(dataDir))
  const older = (newer?.length ?? 0) < most ? await linesOf(olderLogPath(dataDir)) : undefined
  if (newer === undefined && older === undefined) return undefined
  const lines = [...(older ?? []), ...(newer ?? [])]
  return lines.slice(Math.max(0, lines.length - most))
}

async function linesOf(path: string): Promise<string[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  return text?.split('\n').filter((line) => line !== '')
}

export const logBytes = async (dataDir: string): Promise<number> =>
  (await stat(logPath(dataDir)).catch(() => undefined))?.size ?? 0

/** Yields the lines after this many bytes, until the signal; follows the log also when a full file is replaced. */
export async function* newLines(dataDir: string, from: number, stop: AbortSignal): AsyncGenerator<string> {
  const path = logPath(dataDir)
  let file = await openIfThere(path)
  let position = file === undefined || (await file.stat()).size < from ? 0 : from
  let begun = ''
  try {
    while (!stop.aborted) {
      // Checked before the rest is read: once there is another file, nothing is appended to this one any more.
      const isFull = await isAnother(path, file)
      for (let slice = await sliceAt(file, position); slice !== ''; slice = await sliceAt(file, position)) {
        position += Buffer.byteLength(slice, 'latin1')
        const lines = `${begun}${slice}`.split('\n')
        begun = lines.pop() ?? ''
        for (const line of lines) yield Buffer.from(line, 'latin1').toString()
      }
      if (isFull) {
        await file?.close()
        file = await openIfThere(path)
        position = 0
      } else await delay(POLL_MILLIS, undefined, { signal: stop }).catch(() => {})
    }
  } finally {
    await file?.close()
  }
}

/** Decoded as one character a byte, so that no character is cut in two. */
async function sliceAt(file: FileHandle | undefined, position: number): Promise<string> {
  if (file === undefined) return ''
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SLICE_BYTES), 0, SLICE_BYTES, position)
  return buffer.toString('latin1', 0, bytesRead)
}

async function isAnother(path: string, file: FileHandle | undefined): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.ino !== (await file?.stat())?.ino
}

const openIfThere = (path: string): Promise<FileHandle | undefined> => open(path, 'r').catch(() => undefined)
