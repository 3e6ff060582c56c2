import { type Admitted, admit } from '../../../domain/statements/admit.ts'
import { KINDS } from '../../../domain/statements/kinds.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import type { Waiting, WaitingPool } from '../../../domain/statements/waiting.ts'
import { keyIdOf } from '../../../domain/trust/key-id.ts'
import type { PublicKey } from '../../../domain/trust/trust.ts'
import type { ProjectView, View } from '../../../domain/view.ts'
import { isClaiming, NO_VOLUME, type Volume } from '../../../domain/views/statement-index.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { Stamp } from '../../../protocol/stamp.ts'

/** A statement that somebody sent, or that waited for another one. */
export interface Candidate extends Waiting {
  /** Its place in the message that is being taken in; none for one that waited. */
  readonly index?: number
}

export interface Refused {
  readonly reason: string
  readonly isRetryable: boolean
}

export interface JudgingDeps {
  view: View
  pool: WaitingPool
  now: Stamp
  /** Told of each in the order in which they can be taken, with the key that should have signed it. */
  onAdmitted: (one: Candidate, signer: PublicKey) => void
}

/**
 * Judges the statements of one message together, each as if those before it were admitted already, provided that all of
 * them are signed by whom they should be. What waited for one of them is judged with it.
 */
export class Judging {
  readonly #deps: JudgingDeps
  readonly refused = new Map<Candidate, Refused>()
  /** By what they wait for. */
  readonly #waiting = new Map<string, Candidate[]>()
  /** Those that came without their content, and wait for a redaction of theirs; by their id. */
  readonly #bare = new Map<string, Candidate[]>()
  readonly #facts = new Map<string, Statement>()
  readonly #foundings = new Map<string, Statement>()
  readonly #redactions = new Map<string, Statement[]>()
  readonly #volumes = new Map<string, Volume>()
  #newKeys = 0

  constructor(deps: JudgingDeps) {
    this.#deps = deps
  }

  /** Those that wait, each with what it waits for. */
  *waiting(): Iterable<readonly [Candidate, string]> {
    for (const [waitsFor, all] of [...this.#waiting, ...this.#bare])
      for (const one of all) yield [one, waitsFor]
  }

  judge(first: Candidate): void {
    const queue = [first]
    for (let one = queue.pop(); one !== undefined; one = queue.pop())
      for (const next of this.#judgeOne(one)) queue.push(next)
  }

  /** Whether this came meanwhile, and what waits for it has to be judged again. */
  isHere(id: string, projectId: string): boolean {
    const isFounded = id === projectId && this.#deps.view.projects.get(id) !== undefined
    return isFounded || this.#factIn(projectId)(id) !== undefined
  }

  /** The ids of those whose redactions were refused: nothing may be let in without its content for their sake. */
  ofRefusedRedactions(): ReadonlySet<unknown> {
    const refused = Array.from(this.refused.keys(), (one) => one.statement)
    return new Set(refused.filter(({ kind }) => kind === 'redaction').map(({ body }) => body['of']))
  }

  /** The key that should have signed it, where that is known before all that it cites is here. */
  signerOf({ kind, body, under, project_id }: Statement): PublicKey | undefined {
    const row = KINDS.get(kind)
    if (under === undefined) return row?.introduces?.(body)
    const introduction = this.#factIn(project_id)(under)
    return introduction && KINDS.get(introduction.kind)?.introduces?.(introduction.body)
  }

  /** Returns those that have to be judged now. */
  #judgeOne(one: Candidate): Candidate[] {
    const { statement } = one
    const { view, now } = this.#deps
    const found = view.projects.get(statement.project_id)
    const verdict = admit(statement, this.#admittedIn(statement.project_id), now)
    if (verdict.outcome === 'refused') {
      this.refused.set(one, verdict)
      return []
    }
    if (verdict.outcome === 'waits') return this.#wait(one, verdict.for)
    const tooMuch = this.#tooMuch(one, found)
    if (tooMuch !== undefined) {
      this.refused.set(one, { reason: tooMuch, isRetryable: true })
      return []
    }
    this.#deps.onAdmitted(one, verdict.signer)
    this.#note(one)
    return this.#freedBy(statement)
  }

  #note({ statement, chars }: Candidate): void {
    const { id, kind, about, key, body } = statement
    const isTwice = this.#facts.has(id)
    this.#facts.set(id, statement)
    if (isTwice) return
    if (kind === 'project') this.#foundings.set(about, statement)
    if (kind === 'redaction') this.#noteRedaction(String(body['of']), statement)
    const before = this.#volumes.get(volumeKey(statement)) ?? NO_VOLUME
    this.#volumes.set(volumeKey(statement), {
      count: before.count + 1,
      bytes: before.bytes + chars,
      claims: before.claims + (isClaiming(statement) ? 1 : 0),
    })
    const isKnown = this.#deps.view.projects.get(statement.project_id)?.said.volumeOf(key).count
    if (before.count === 0 && !isKnown) this.#newKeys++
  }

  #noteRedaction(of: string, redaction: Statement): void {
    listIn(this.#redactions, of).push(redaction)
  }

  /** A redaction and a statement that comes without its content can only be let in together. */
  #wait(one: Candidate, waitsFor: string): Candidate[] {
    const { kind, body, project_id } = one.statement
    // Of what waits for its project nobody can tell yet who should have signed it.
    const isRedaction = kind === 'redaction' && body['of'] === waitsFor && project_id !== waitsFor
    const isBare = one.statement.id === waitsFor
    listIn(isBare ? this.#bare : this.#waiting, waitsFor).push(one)
    if (!isRedaction) return []
    this.#noteRedaction(waitsFor, one.statement)
    for (const waited of this.#deps.pool.take(waitsFor))
      listIn(waited.statement.id === waitsFor ? this.#bare : this.#waiting, waitsFor).push(waited)
    const bare = this.#bare.get(waitsFor) ?? []
    this.#bare.delete(waitsFor)
    return bare
  }

  #freedBy({ id, kind, about }: Statement): Candidate[] {
    return (kind === 'project' ? [id, about] : [id]).flatMap((one) => {
      const waited = [...(this.#waiting.get(one) ?? []), ...(this.#bare.get(one) ?? [])]
      this.#waiting.delete(one)
      this.#bare.delete(one)
      return [...waited, ...this.#deps.pool.take(one)]
    })
  }

  #admittedIn(projectId: string): Admitted {
    const { view, pool } = this.#deps
    const said = view.projects.get(projectId)?.said
    const redactions = this.#redactions
    return {
      fact: this.#factIn(projectId),
      founding: (id) => this.#foundings.get(id) ?? view.projects.get(id)?.said.founding,
      *redactionsOf(id) {
        yield* said?.redactionsOf(id) ?? []
        yield* redactions.get(id) ?? []
        for (const { statement, isSigned } of pool.waitingFor(id))
          if (isSigned && statement.kind === 'redaction') yield statement
      },
    }
  }

  #factIn(projectId: string): (id: string) => Statement | undefined {
    const said = this.#deps.view.projects.get(projectId)?.said
    return (id) => {
      const judged = this.#facts.get(id)
      return judged?.project_id === projectId ? judged : said?.fact(id)
    }
  }

  /** Bounds that are the same everywhere, so that whoever keeps to them is taken everywhere. */
  #tooMuch({ statement, chars, sender }: Candidate, found: ProjectView | undefined): string | undefined {
    const { key, kind, id } = statement
    // One that waited here, or came twice in one message, counts once.
    if (this.#facts.has(id)) return undefined
    const known = found?.said.volumeOf(key) ?? NO_VOLUME
    const more = this.#volumes.get(volumeKey(statement)) ?? NO_VOLUME
    const count = known.count + more.count
    if (count >= LIMITS.keyStatements)
      return `${TOO_MUCH}its key has said ${LIMITS.keyStatements} things in this project already`
    if (known.bytes + more.bytes + chars > LIMITS.keyBytes)
      return `${TOO_MUCH}its key has said more than ${LIMITS.keyBytes} bytes in this project`
    if (isClaiming(statement) && known.claims + more.claims >= LIMITS.keyClaims)
      return `${TOO_MUCH}its key has claimed, named and released repos ${LIMITS.keyClaims} times in this project`
    const isNewKey = kind === 'claim' && count === 0
    const unconfirmed = (found?.said.unconfirmedKeys ?? 0) + this.#newKeys
    if (
      isNewKey &&
      unconfirmed >= LIMITS.unconfirmedKeys &&
      !this.#isConfirmed(id) &&
      !this.#isOwnOf(sender, key)
    )
      return `${TOO_MUCH}${LIMITS.unconfirmedKeys} keys have claimed repos of this project that nobody confirmed`
    return undefined
  }

  /** A peer that was let in brings its own key, however many others invented theirs. */
  #isOwnOf(sender: string, key: string): boolean {
    const peer = this.#deps.view.peers.get(sender)
    return peer?.trust === 'approved' && peer.identity !== undefined && keyIdOf(peer.identity) === key
  }

  #isConfirmed(claimId: string): boolean {
    for (const { statement, isSigned } of this.#deps.pool.waitingFor(claimId))
      if (isSigned && statement.kind === 'confirmation') return true
    return false
  }
}

const listIn = <One>(lists: Map<string, One[]>, key: string): One[] => getOrAdd(lists, key, () => [])

/** Whether a statement was refused for what its key has said before, here or at another daemon. */
export const isTooMuch = (reason: string): boolean => reason.startsWith(TOO_MUCH)

const TOO_MUCH = 'too much: '

const volumeKey = ({ project_id, key }: Statement): string => `${project_id} ${key}`
