import { KINDS } from '../../../domain/statements/kinds.ts'
import { rotationProof } from '../../../domain/statements/rotation.ts'
import { type Statement, signedText } from '../../../domain/statements/statement.ts'
import type { Waiting } from '../../../domain/statements/waiting.ts'
import type { PublicKey } from '../../../domain/trust/trust.ts'
import { createInTurn } from '../../ports/in-turn.ts'
import type { VerifyText } from '../../ports/ports.ts'

/** So many are checked at a time: writing to disk, for one, is done by the same threads. */
const AT_ONCE = 64

/**
 * Checks whether a statement is signed by this key, in the order in which that is asked; one that was checked before is
 * not checked again.
 */
export function createSignatureChecks(verifyText: VerifyText) {
  const inTurn = createInTurn(AT_ONCE)
  return async ({ statement, isSigned }: Waiting, signer: PublicKey): Promise<boolean> =>
    isSigned || inTurn(() => check(statement, signer))

  async function check(statement: Statement, signer: PublicKey): Promise<boolean> {
    if (!(await verifyText(signedText(statement.id), signer, statement.sig))) return false
    if (statement.kind !== 'rotation') return true
    const next = KINDS.get('rotation')?.introduces?.(statement.body)
    const proof = String(statement.body['proof'])
    return next !== undefined && verifyText(rotationProof(statement), next, proof)
  }
}
