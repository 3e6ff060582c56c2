import type { Socket } from 'node:net'
import { isProofFrom, isProofOf, PROOF_PATH, PROOF_TYP } from '../../domain/trust/proof.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { newSecret } from '../identity/secret.ts'
import { verifySignature } from '../identity/signature.ts'

const MOST_BYTES = 16 * 1024
const END_OF_HEAD = '\r\n\r\n'

/** The peer that must be at the other end of a connection in clear. */
export interface PinnedPeer {
  readonly agentId: string
  readonly key: PublicKey
  readonly basePath: string
}

/**
 * Has the other end prove on this very connection that it is the pinned peer, before anything else is sent there: where
 * nothing is encrypted, any program on the machine can take the port of a peer that stopped.
 */
export async function proveSocket(
  socket: Socket,
  peer: PinnedPeer,
  { host, timeout }: { host: string; timeout: number },
): Promise<void> {
  const objection = await objectionTo(socket, peer, { host, timeout })
  if (objection === undefined) return
  socket.destroy()
  const what = `A stranger answers at http://${host}: asked to prove who it is, ${objection}`
  throw new Fault('unavailable', what, {
    next: `Nothing was sent. See there with \`cacpd status\` whether the daemon of ${peer.agentId} runs`,
  })
}

async function objectionTo(
  socket: Socket,
  { agentId, key, basePath }: PinnedPeer,
  { host, timeout }: { host: string; timeout: number },
): Promise<string | undefined> {
  const challenge = newSecret()
  const far = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 }
  try {
    const answer = jsonIn(
      await bareGet(socket, { host, path: `${basePath}${PROOF_PATH}/${challenge}` }, timeout),
    )
    const proof = isJsonObject(answer) ? answer['proof'] : undefined
    const claims = typeof proof === 'string' ? await verifySignature(proof, key, PROOF_TYP) : undefined
    if (claims === undefined || !isProofOf(claims, agentId, challenge))
      return 'it shows that it does not have the key that is pinned'
    if (!isProofFrom(claims, far)) return 'it passed on what another said'
    return isClean(socket) ? undefined : 'it said more than that'
  } catch (error) {
    return error instanceof Error ? error.message : 'the connection failed'
  }
}

const isClean = ({ destroyed, readableEnded, readableLength }: Socket): boolean =>
  !destroyed && !readableEnded && readableLength === 0

/**
 * Gets one small document on a connection that undici uses afterwards: reads exactly the answer and leaves nothing
 * behind. Any answer but a plain 200 of a known length fails, because then the end of the answer is not known.
 */
function bareGet(
  socket: Socket,
  { host, path }: { host: string; path: string },
  timeoutMillis: number,
): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n\r\n`)
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

/** Undefined as long as the answer is not complete. */
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
