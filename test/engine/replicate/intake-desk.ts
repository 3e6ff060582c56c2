import type { LocalChange } from '../../../src/domain/change.ts'
import type { Caller } from '../../../src/domain/env.ts'
import type { Peer } from '../../../src/domain/model.ts'
import { type Statement, textOf } from '../../../src/domain/statements/statement.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import type { VerifyText } from '../../../src/engine/ports/ports.ts'
import { Heard } from '../../../src/engine/replicate/intake/heard.ts'
import { createIntake } from '../../../src/engine/replicate/intake/intake.ts'
import { Refusals } from '../../../src/engine/replicate/link/refusals.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
import { at } from '../../domain/statements/at.ts'
import { signerOf } from '../../support/desk/signer.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { signatureOf } from '../../support/simulated/identity.ts'

export const PEER: Caller = { kind: 'peer', agentId: 'aid://example.com/peer@1.0.0', repoName: 'peer-app' }

/** As authors of stories sign. */
export const verifyAuthor: VerifyText = async (text, key, signature) => signature === signatureOf(key, text)

/** A store that takes in what peers send. */
export async function intakeDesk({
  now = () => at(1000),
  verifyText = verifyAuthor,
  pause = async () => {},
}: {
  now?: () => Stamp
  verifyText?: VerifyText
  pause?: () => Promise<void>
} = {}) {
  let ids = 0
  const clock = { now, newId: () => `id-${++ids}`, newNonce: () => 'A'.repeat(22) }
  const { store } = await openStore({
    directory: '/desk',
    disk: new SimulatedDisk(),
    clock,
    sign: () => Promise.reject(new Error('nothing is said here')),
  })
  const heard = new Heard()
  const refusals = new Refusals(clock)
  const intake = createIntake({
    self: { signer: signerOf('here') },
    store,
    clock,
    verifyText,
    heard,
    refusals,
    noteTaken: () => {},
    pause,
  })
  return {
    store,
    heard,
    refusals,
    intake,
    /** Pairs with the peer, whose identity is pinned then. */
    admitPeer(identity: PublicKey): Promise<void> {
      const value: Peer = {
        agent_id: PEER.agentId,
        endpoint: 'http://127.0.0.1:1',
        repo_name: PEER.repoName ?? '',
        trust: 'approved',
        registered_at: at(0),
        last_seen: at(0),
        identity,
      }
      const local: LocalChange[] = [{ table: 'peer', id: PEER.agentId, value }]
      return store.commit(() => ({ local, result: undefined }))
    },
    /** What becomes of each. */
    async take(...statements: readonly Statement[]): Promise<string[]> {
      return this.takeTexts(...statements.map(textOf))
    },
    async takeTexts(...texts: readonly string[]): Promise<string[]> {
      const outcomes = await intake.take(texts, { caller: PEER, bootId: 'first' })
      return outcomes.map((one) => (one.status === 'refused' ? `refused: ${one.reason}` : one.status))
    },
    ids: (): string[] => Array.from(store.statements(), ({ statement }) => statement.id).sort(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
