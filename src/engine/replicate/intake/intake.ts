import type { Self } from '../../../domain/env.ts'
import { doubtedMentionsIn } from '../../../domain/files/shared-file.ts'
import { isShutOut } from '../../../domain/peers/refused-by-peer.ts'
import { KINDS } from '../../../domain/statements/kinds.ts'
import {
  hasLostContent,
  readStatement,
  type Statement,
  textOf,
} from '../../../domain/statements/statement.ts'
import { type WaitingOfSender, WaitingPool } from '../../../domain/statements/waiting.ts'
import type { View } from '../../../domain/view.ts'
import type { From, IntakeOutcome } from '../../../methods/services.ts'
import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'
import { sha256 } from '../../../protocol/text/sha256.ts'
import { keyNeeded } from '../../dispatch/access.ts'
import type { Parts } from '../../parts.ts'
import { type Candidate, Judging, type Refused } from './judging.ts'
import { idIn, projectIdIn } from './read-ids.ts'
import { SignatureChecks } from './signature-checks.ts'

export interface IntakeDeps
  extends Pick<Parts, 'store' | 'clock' | 'verifyText' | 'heard' | 'refusals' | 'pause'> {
  self: Pick<Self, 'signer'>
  /** Told what was taken of whom. */
  noteTaken: (from: From, taken: readonly Statement[]) => void
}

/** So much is read and judged before others get their turn. */
const SLICE = { chars: 128 * 1024, statements: 50 }
/** Texts that were refused for good, of which it is remembered that they were. */
const MOST_REFUSED = 20_000

/**
 * Takes in what another daemon sends: each statement is read once, judged by what it cites, its signature checked, and
 * only then kept and so handed on. What cites something that is not here waits for it.
 */
export class Intake {
  readonly #deps: IntakeDeps
  readonly #pool = new WaitingPool()
  readonly #checks: SignatureChecks
  /** By hash of the text. Asked for again and again, as by comparing digests, it must cost nothing. */
  readonly #refusedTexts = new Map<string, Refused>()
  #since = { chars: 0, statements: 0 }

  constructor(deps: IntakeDeps) {
    this.#deps = deps
    this.#checks = new SignatureChecks(deps.verifyText)
  }

  /** On disk when it returns; the outcomes are in the order of the texts. */
  async take(texts: readonly string[], from: From): Promise<IntakeOutcome[]> {
    const outcomes: IntakeOutcome[] = Array.from(texts, () => ({ status: 'waits' }))
    await this.#settle(this.#candidatesIn(texts, from, outcomes), from, (one, outcome) => {
      if (one.index !== undefined) outcomes[one.index] = outcome
      if (outcome.status === 'refused') this.#refuse(one, outcome, texts[one.index ?? -1])
    })
    return outcomes
  }

  /** How much of what a peer sent waits for something that nobody sent. */
  waitingOf(agentId: string): WaitingOfSender {
    return this.#pool.waitingOf(agentId)
  }

  /** Read one after the other as they are asked for: meanwhile the signatures of those before are checked. */
  async *#candidatesIn(
    texts: readonly string[],
    from: From,
    outcomes: IntakeOutcome[],
  ): AsyncGenerator<Candidate, void> {
    for (const [index, text] of texts.entries()) {
      if (this.#isTurnOver(text.length)) await this.#deps.pause()
      const read = this.#read(text, from, index)
      if ('status' in read) outcomes[index] = read
      else yield read
    }
  }

  #read(text: string, { caller, bootId }: From, index: number): Candidate | IntakeOutcome {
    const known = this.#knownAs(text)
    if (known !== undefined) {
      if (bootId !== undefined) this.#deps.heard.keep(known, { agentId: caller.agentId, bootId })
      return { status: 'known' }
    }
    const before = this.#refusedTexts.size === 0 ? undefined : this.#refusedTexts.get(hashOfText(text))
    if (before !== undefined) return { status: 'refused', ...before }
    const read = readStatement(text)
    if ('statement' in read)
      return { statement: read.statement, chars: text.length, sender: caller.agentId, isSigned: false, index }
    const refused = { reason: read.refused, isRetryable: false }
    this.#remember(text, refused)
    const id = idIn(text)?.toWellFormed() ?? hashOfText(text)
    this.#deps.refusals.note(caller.agentId, { id, reason: read.refused, isLasting: true })
    return { status: 'refused', ...refused }
  }

  /** The statement that this text is of, if it is here: then nothing of the text needs to be looked at. */
  #knownAs(text: string): Statement | undefined {
    const id = idIn(text)
    const projectId = projectIdIn(text)
    const known = projectId && id && this.#deps.store.view.projects.get(projectId)?.said.get(id)
    // Keys that this version does not know may stand behind the id, and hold another one.
    return known && textOf(known) === text ? known : undefined
  }

  #isKnown(statement: Statement): boolean {
    const known = this.#deps.store.view.projects.get(statement.project_id)?.said.get(statement.id)
    return known !== undefined && (hasLostContent(statement) || !hasLostContent(known))
  }

  /** Judges and checks until all that is admitted is signed by whom it should be, and then keeps it. */
  async #settle(
    given: AsyncIterable<Candidate> | Iterable<Candidate>,
    from: From,
    tell: (one: Candidate, outcome: IntakeOutcome) => void,
  ): Promise<void> {
    const { store, clock } = this.#deps
    for (let candidates = given; ; ) {
      const checks = new Map<Candidate, Promise<boolean>>()
      const judging = new Judging({
        view: store.view,
        pool: this.#pool,
        now: clock.now(),
        onAdmitted: (one, signer) => checks.set(one, this.#checks.isSigned(one, signer)),
      })
      for await (const one of candidates) {
        if (this.#isTurnOver(0)) await this.#deps.pause()
        if (this.#isKnown(one.statement)) tell(one, { status: 'known' })
        else judging.judge(one)
      }
      for (const [one, refused] of judging.refused) tell(one, { status: 'refused', ...refused })
      const checked = await this.#check(judging, checks)
      for (const one of checked.forged) tell(one, { status: 'refused', ...FORGED })
      const { admitted, waiting } = checked
      // What they wait for may have come while signatures were checked: nobody would look at them again.
      const isOvertaken = waiting.some(
        // One that came without its content waits for somebody's redaction, and not for what it is itself.
        ([{ statement }, id]) => id !== statement.id && judging.isHere(id, statement.project_id),
      )
      const misleading = judging.ofRefusedRedactions()
      const isMisled = admitted.some(
        ({ statement }) => hasLostContent(statement) && misleading.has(statement.id),
      )
      if (checked.forged.length === 0 && !isOvertaken && !isMisled) {
        for (const [one, waitsFor] of waiting) {
          const { index: _, ...waits } = one
          this.#pool.add({ ...waits, since: waits.since ?? clock.now() }, waitsFor)
          tell(one, { status: 'waits' })
        }
        return this.#keep(admitted, from, tell)
      }
      candidates = [...admitted, ...waiting.map(([one]) => one)]
    }
  }

  async #keep(
    admitted: readonly Candidate[],
    from: From,
    tell: (one: Candidate, outcome: IntakeOutcome) => void,
  ): Promise<void> {
    if (admitted.length === 0) return
    const { caller, bootId } = from
    const { self, store, heard } = this.#deps
    const kept = await store.commit((view) => {
      if (isShutOut(caller, view)) throw keyNeeded('cacp/sync/statements')
      const news = newsAmong(admitted, view)
      const takes = Array.from(news, ({ statement }) => statement)
      const local = doubtedMentionsIn(view, takes, { ownKey: self.signer.keyId })
      if (bootId !== undefined) heard.note(sentNow(news), { agentId: caller.agentId, bootId })
      return { takes, local, result: news }
    })
    if (kept.size > 0)
      this.#deps.noteTaken(
        from,
        Array.from(kept, ({ statement }) => statement),
      )
    for (const one of admitted) {
      tell(one, { status: kept.has(one) ? 'taken' : 'known' })
      this.#deps.refusals.takeBack(one.sender, one.statement.id)
    }
    // What came meanwhile another way, as in another stream of a hub, may have begun to wait for these.
    const freed = Array.from(kept).flatMap(({ statement: { id, kind, about } }) =>
      (kind === 'project' ? [id, about] : [id]).flatMap((one) => this.#pool.take(one)),
    )
    if (freed.length > 0) await this.#settle(freed, from, tell)
  }

  /** Which of them are signed by whom they should be; of those that wait, as far as that is known already. */
  async #check(judging: Judging, checks: ReadonlyMap<Candidate, Promise<boolean>>) {
    const forged: Candidate[] = []
    const admitted: Candidate[] = []
    for (const [one, check] of checks) {
      if (await check) admitted.push({ ...one, isSigned: true })
      else forged.push(one)
    }
    const waiting: (readonly [Candidate, string])[] = []
    const waits = Array.from(judging.waiting(), ([one, waitsFor]) => {
      const signer = judging.signerOf(one.statement)
      return { one, waitsFor, check: signer && this.#checks.isSigned(one, signer) }
    })
    for (const { one, waitsFor, check } of waits) {
      const isSigned = check === undefined ? one.isSigned : await check
      if (check === undefined || isSigned) waiting.push([{ ...one, isSigned }, waitsFor])
      else forged.push(one)
    }
    return { forged, admitted, waiting }
  }

  #refuse({ statement, sender }: Candidate, refused: Refused, text: string | undefined): void {
    const { reason, isRetryable } = refused
    this.#deps.refusals.note(sender, { id: statement.id, reason, isLasting: !isRetryable })
    if (!refused.isRetryable && text !== undefined) this.#remember(text, refused)
  }

  #remember(text: string, { reason, isRetryable }: Refused): void {
    this.#refusedTexts.set(hashOfText(text), { reason, isRetryable })
    dropOldest(this.#refusedTexts, MOST_REFUSED)
  }

  #isTurnOver(chars: number): boolean {
    this.#since.chars += chars
    this.#since.statements++
    if (this.#since.chars < SLICE.chars && this.#since.statements < SLICE.statements) return false
    this.#since = { chars: 0, statements: 0 }
    return true
  }
}

const FORGED: Refused = { reason: 'sig is not by the key that it speaks under', isRetryable: false }

/** Those that are still news and still have all that they cite, each once. */
function newsAmong(admitted: readonly Candidate[], view: View): Set<Candidate> {
  const news = new Set<Candidate>()
  const ids = new Set<string>()
  const projects = new Set<string>()
  for (const one of admitted) {
    const { statement } = one
    const { id, kind, project_id } = statement
    const found = view.projects.get(project_id)
    const isFounded = found !== undefined || projects.has(project_id) || kind === 'project'
    const hasAll = citedBy(statement).every(
      (cited) => ids.has(cited) || found?.said.fact(cited) !== undefined,
    )
    if (ids.has(id) || !isFounded || !hasAll || found?.said.isNews(statement) === false) continue
    ids.add(id)
    projects.add(project_id)
    news.add(one)
  }
  return news
}

/** Without those that had waited for them: whoever sent what they waited for need not have them. */
const sentNow = (news: ReadonlySet<Candidate>): Statement[] =>
  Array.from(news)
    .filter(({ index }) => index !== undefined)
    .map(({ statement }) => statement)

const citedBy = ({ kind, under, body }: Statement): string[] => [
  ...(under === undefined ? [] : [under]),
  ...(KINDS.get(kind)?.cites?.(body) ?? []).map(({ id }) => id),
]

const hashOfText = (text: string): string => sha256(text)
