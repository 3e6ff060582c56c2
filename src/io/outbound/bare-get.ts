import type { Socket } from 'node:net'

const MOST_BYTES = 16 * 1024
const END_OF_HEAD = '\r\n\r\n'

/**
 * Asks for one small document on a connection that somebody else goes on with: reads exactly the answer and leaves
 * nothing behind. Whatever is not a plain 200 of a known length fails, because then nobody knows what comes next.
 */
export async function bareGet(
  socket: Socket,
  { host, path }: { host: string; path: string },
  timeoutMillis: number,
): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n\r\n`)
  return answerOn(socket, timeoutMillis)
}

function answerOn(socket: Socket, timeoutMillis: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const fail = (why: string) => finish(() => reject(new Error(why)))
    const onClosed = () => fail('it hung up')
    const timer = setTimeout(() => fail('it did not answer in time'), timeoutMillis)

    function finish(settle: () => void): void {
      clearTimeout(timer)
      socket.off('readable', onReadable).off('end', onClosed).off('close', onClosed).off('error', onClosed)
      settle()
    }

    function onReadable(): void {
      try {
        received = Buffer.concat([received, ...chunksOf(socket)])
        const body = bodyIn(received)
        if (body !== undefined) finish(() => resolve(body))
      } catch (error) {
        finish(() => reject(error))
      }
    }

    socket.on('readable', onReadable).on('end', onClosed).on('close', onClosed).on('error', onClosed)
  })
}

function* chunksOf(socket: Socket): Generator<Buffer> {
  for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) yield chunk
}

/** Undefined as long as something is missing. */
function bodyIn(received: Buffer): string | undefined {
  if (received.length > MOST_BYTES) throw new Error('it answered more than was asked for')
  const headEnd = received.indexOf(END_OF_HEAD)
  if (headEnd === -1) return undefined
  const [status = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const bodyStart = headEnd + END_OF_HEAD.length
  const missing = bodyStart + lengthIn(status, lines) - received.length
  if (missing < 0) throw new Error('it said more than it announced')
  return missing > 0 ? undefined : received.toString('utf8', bodyStart)
}

function lengthIn(status: string, lines: readonly string[]): number {
  const [, code] = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(status) ?? []
  if (code !== '200') throw new Error(code === undefined ? 'it does not speak HTTP' : `it answered ${code}`)
  const lengths = valuesOf('content-length', lines)
  const [length = ''] = lengths
  const isPlain = lengths.length === 1 && /^\d{1,6}$/.test(length)
  if (!isPlain || valuesOf('transfer-encoding', lines).length > 0)
    throw new Error('it does not say how long its answer is')
  if (valuesOf('connection', lines).some((value) => /close/i.test(value))) throw new Error('it hangs up')
  return Number(length)
}

const valuesOf = (name: string, lines: readonly string[]): string[] =>
  lines
    .filter((line) => line.toLowerCase().startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim())
