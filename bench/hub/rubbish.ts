import { randomBytes } from 'node:crypto'
import { subjectOf } from '../../src/domain/hub/subject.ts'
import { idOf, type Statement, textOf } from '../../src/domain/statements/statement.ts'
import type { HubMessage } from '../../src/engine/ports/hub.ts'
import { systemClock } from '../../src/io/system/clock.ts'
import { SigningAuthor } from '../../test/support/desk/signing-author.ts'
import { content, nameOf } from '../material.ts'

/** What somebody can put on a hub who may publish there and means no good. */

export interface Target {
  readonly org: string
  /** The claim under which an honest daemon speaks, and a contract that it proposed. */
  readonly claim: Statement
  readonly contract: Statement
}

/** One in so many is on a subject of its own among the registers, and one in so many as large as the server takes. */
const EACH_REGISTER = 10
const EACH_LARGE = 10_000
const LARGE = 'x'.repeat(900_000)
/** Statements of another organisation, which are published again and again. */
const FOREIGN = 1000

/** Makes a message for each number, of all sorts in turn. */
export function rubbishFor({ org, claim, contract }: Target): (number: number) => HubMessage {
  const foreign = statementsOfOthers()
  const forger = forgerOf(contract.key)
  const othersAt = (number: number) => foreign[number % foreign.length] as Statement
  const sorts: readonly ((number: number) => string)[] = [
    (number) => `noise ${number}`,
    // Its id is not that of what it says.
    (number) => textOf({ ...contract, body: { ...contract.body, name: nameOf(number) } }),
    // All is right but for the signature.
    (number) => textOf(proposal(forger, claim, number)),
    () => textOf(citingNothing(contract)),
    // True elsewhere: in a project that this subject is not of.
    (number) => textOf(othersAt(number)),
  ]
  const subject = `cacp.${org}.${contract.project_id}.${contract.kind}.x`
  return (number) => {
    const id = `flood ${number}`
    if (number % EACH_LARGE === 0) return { subject, id, text: LARGE }
    const round = Math.floor(number / (sorts.length + 1))
    const make = sorts[number % (sorts.length + 1)]
    // A whole project of another organisation: nothing says that it does not belong here.
    if (make === undefined)
      return { subject: subjectOf(org, othersAt(round)), id, text: textOf(othersAt(round)) }
    const isRegister = round % EACH_REGISTER === 0
    return { subject: isRegister ? `${subject}.${number}` : subject, id, text: make(number) }
  }
}

function statementsOfOthers(): readonly Statement[] {
  const author = new SigningAuthor('aid://example.com/elsewhere@1.0.0')
  const founded = author.found(systemClock.now(), { name: 'Elsewhere', nonce: systemClock.newNonce() })
  const claim = author.claim(founded.project_id, 'elsewhere', systemClock.now())
  const proposed = Array.from({ length: FOREIGN }, (_, number) => proposal(author, claim, number))
  return [founded, claim, ...proposed]
}

/** Signs with a key of its own what it says in the name of another one. */
const forgerOf = (key: string): SigningAuthor =>
  Object.assign(new SigningAuthor('aid://example.com/forger@1.0.0'), { key })

const proposal = (author: SigningAuthor, claim: Statement, number: number): Statement =>
  author.propose(claim, systemClock.now(), {
    parties: [claim.about],
    name: nameOf(number),
    content: content(number),
    nonce: systemClock.newNonce(),
  })

/** Waits for a statement that nobody made. */
function citingNothing({ id: _, sig, ...said }: Statement): Statement {
  const orphan = { ...said, under: randomBytes(32).toString('hex') }
  return { ...orphan, id: idOf(orphan), sig }
}
