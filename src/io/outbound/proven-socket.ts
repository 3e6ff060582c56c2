import type { Socket } from 'node:net'
import { isProofFrom, isProofOf, PROOF_PATH, PROOF_TYP } from '../../domain/trust/proof.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { newSecret } from '../identity/secret.ts'
import { verifySignature } from '../identity/signature.ts'
import { bareGet } from './bare-get.ts'

/** Who must be at the other end of a connection in clear. */
export interface PinnedPeer {
  readonly agentId: string
  readonly key: PublicKey
  /** What the paths of its endpoint begin with. */
  readonly basePath: string
}

/**
 * Has whoever is at the other end prove on this very connection that it is the pinned peer, before anything else is
 * said there: where nothing is encrypted, the port of a peer that stopped is anybody's on the machine.
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
