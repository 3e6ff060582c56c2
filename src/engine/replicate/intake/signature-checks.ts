import { KINDS } from '../../../domain/statements/kinds.ts'
import { rotationProof } from '../../../domain/statements/rotation.ts'
import { type Statement, signedText } from '../../../domain/statements/statement.ts'
import type { Waiting } from '../../../domain/statements/waiting.ts'
import type { PublicKey } from '../../../domain/trust/trust.ts'
import type { VerifyText } from '../../ports/ports.ts'

/** So many are checked at a time: writing to disk, for one, is done by the same threads. */
const AT_ONCE = 64

/** Checks signatures in the order in which they are asked about. */
export class SignatureChecks {
  readonly #verifyText: VerifyText
  readonly #waiting: (() => void)[] = []
  #underWay = 0

  constructor(verifyText: VerifyText) {
    this.#verifyText = verifyText
  }

  /** Whether it is signed by this key; one that was checked before is not checked again. */
  async isSigned({ statement, isSigned }: Waiting, signer: PublicKey): Promise<boolean> {
    if (isSigned) return true
    if (this.#underWay < AT_ONCE) this.#underWay++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await this.#check(statement, signer)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#underWay--
      else next()
    }
  }

  async #check(statement: Statement, signer: PublicKey): Promise<boolean> {
    if (!(await this.#verifyText(signedText(statement.id), signer, statement.sig))) return false
    if (statement.kind !== 'rotation') return true
    const next = KINDS.get('rotation')?.introduces?.(statement.body)
    const proof = String(statement.body['proof'])
    return next !== undefined && this.#verifyText(rotationProof(statement), next, proof)
  }
}
