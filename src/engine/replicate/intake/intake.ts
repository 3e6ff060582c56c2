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
import { createSignatureChecks } from './signature-checks.ts'

interface IntakeDeps extends Pick<Parts, 'store' | 'clock' | 'verifyText' | 'heard' | 'refusals' | 'pause'> {
  self: Pick<Self, 'signer'>
  /** Told what was taken of whom. */
  noteTaken: (from: From, taken: readonly Statement[]) => void
}

/** So much is read and judged before others get their turn. */
const SLICE = { chars: 128 * 1024, statements: 50 }
/** Texts that were refused for good, of which it is remembered that they were. */
const MOST_REFUSED = 20_000

export type Intake = ReturnType<typeof createIntake>

/**
 * Takes in what another daemon sends: each statement is read once, judged by what it cites, its signature checked, and
 * only then kept and so handed on. What cites something that is not here waits for it.
 */
export function createIntake(deps: IntakeDeps) {
  const { self, store, clock, heard, refusals, pause, noteTaken } = deps
  const pool = new WaitingPool()
  const isSignedBy = createSignatureChecks(deps.verifyText)
  /** By hash of the text. Asked for again and again, as by comparing digests, it must cost nothing. */
  const refusedTexts = new Map<string, Refused>()
  let since = { chars: 0, statements: 0 }

  return {
    /** On disk when it returns; the outcomes are in the order of the texts. */
    async take(texts: readonly string[], from: From): Promise<IntakeOutcome[]> {
      const outcomes: IntakeOutcome[] = Array.from(texts, () => ({ status: 'waits' }))
      await settle(candidatesIn(texts, from, outcomes), from, (one, outcome) => {
        if (one.index !== undefined) outcomes[one.index] = outcome
        if (outcome.status === 'refused') refuse(one, outcome, texts[one.index ?? -1])
      })
      return outcomes
    },

    /** How much of what a peer sent waits for something that nobody sent. */
    waitingOf: (agentId: string): WaitingOfSender => pool.waitingOf(agentId),
  }

  /** Read one after the other as they are asked for: meanwhile the signatures of those before are checked. */
  async function* candidatesIn(
    texts: readonly string[],
    from: From,
    outcomes: IntakeOutcome[],
  ): AsyncGenerator<Candidate, void> {
    for (const [index, text] of texts.entries()) {
      if (isTurnOver(text.length)) await pause()
      const read = readOne(text, from, index)
      if ('status' in read) outcomes[index] = read
      else yield read
    }
  }

  function readOne(text: string, { caller, bootId }: From, index: number): Candidate | IntakeOutcome {
    const known = knownAs(text)
    if (known !== undefined) {
      if (bootId !== undefined) heard.keep(known, { agentId: caller.agentId, bootId })
      return { status: 'known' }
    }
    const before = refusedTexts.size === 0 ? undefined : refusedTexts.get(sha256(text))
    if (before !== undefined) return { status: 'refused', ...before }
    const read = readStatement(text)
    if ('statement' in read)
      return { statement: read.statement, chars: text.length, sender: caller.agentId, isSigned: false, index }
    const refused = { reason: read.refused, isRetryable: false }
    remember(text, refused)
    const id = idIn(text)?.toWellFormed() ?? sha256(text)
    refusals.note(caller.agentId, { id, reason: read.refused, isLasting: true })
    return { status: 'refused', ...refused }
  }

  /** The statement that this text is of, if it is here: then nothing of the text needs to be looked at. */
  function knownAs(text: string): Statement | undefined {
    const id = idIn(text)
    const projectId = projectIdIn(text)
    const known = projectId && id && store.view.projects.get(projectId)?.said.get(id)
    // Keys that this version does not know may stand behind the id, and hold another one.
    return known && textOf(known) === text ? known : undefined
  }

  function isKnown(statement: Statement): boolean {
    const known = store.view.projects.get(statement.project_id)?.said.get(statement.id)
    return known !== undefined && (hasLostContent(statement) || !hasLostContent(known))
  }

  /** Judges and checks until all that is admitted is signed by whom it should be, and then keeps it. */
  async function settle(
    given: AsyncIterable<Candidate> | Iterable<Candidate>,
    from: From,
    tell: (one: Candidate, outcome: IntakeOutcome) => void,
  ): Promise<void> {
    for (let candidates = given; ; ) {
      const checks = new Map<Candidate, Promise<boolean>>()
      const judging = new Judging({
        view: store.view,
        pool,
        now: clock.now(),
        onAdmitted: (one, signer) => checks.set(one, isSignedBy(one, signer)),
      })
      for await (const one of candidates) {
        if (isTurnOver(0)) await pause()
        if (isKnown(one.statement)) tell(one, { status: 'known' })
        else judging.judge(one)
      }
      for (const [one, refused] of judging.refused) tell(one, { status: 'refused', ...refused })
      const checked = await check(judging, checks)
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
          pool.add({ ...waits, since: waits.since ?? clock.now() }, waitsFor)
          tell(one, { status: 'waits' })
        }
        return keep(admitted, from, tell)
      }
      candidates = [...admitted, ...waiting.map(([one]) => one)]
    }
  }

  async function keep(
    admitted: readonly Candidate[],
    from: From,
    tell: (one: Candidate, outcome: IntakeOutcome) => void,
  ): Promise<void> {
    if (admitted.length === 0) return
    const { caller, bootId } = from
    const kept = await store.commit((view) => {
      if (isShutOut(caller, view)) throw keyNeeded('cacp/sync/statements')
      const news = newsAmong(admitted, view)
      const takes = Array.from(news, ({ statement }) => statement)
      const local = doubtedMentionsIn(view, takes, { ownKey: self.signer.keyId })
      if (bootId !== undefined) heard.note(sentNow(news), { agentId: caller.agentId, bootId })
      return { takes, local, result: news }
    })
    const taken = Array.from(kept, ({ statement }) => statement)
    if (taken.length > 0) noteTaken(from, taken)
    for (const one of admitted) {
      tell(one, { status: kept.has(one) ? 'taken' : 'known' })
      refusals.takeBack(one.sender, one.statement.id)
    }
    // What came meanwhile another way, as in another stream of a hub, may have begun to wait for these.
    const freed = taken.flatMap(({ id, kind, about }) =>
      (kind === 'project' ? [id, about] : [id]).flatMap((one) => pool.take(one)),
    )
    if (freed.length > 0) await settle(freed, from, tell)
  }

  /** Which of them are signed by whom they should be; of those that wait, as far as that is known already. */
  async function check(judging: Judging, checks: ReadonlyMap<Candidate, Promise<boolean>>) {
    const forged: Candidate[] = []
    const admitted: Candidate[] = []
    for (const [one, checking] of checks) {
      if (await checking) admitted.push({ ...one, isSigned: true })
      else forged.push(one)
    }
    const waiting: (readonly [Candidate, string])[] = []
    const waits = Array.from(judging.waiting(), ([one, waitsFor]) => {
      const signer = judging.signerOf(one.statement)
      return { one, waitsFor, checking: signer && isSignedBy(one, signer) }
    })
    for (const { one, waitsFor, checking } of waits) {
      const isSigned = checking === undefined ? one.isSigned : await checking
      if (checking === undefined || isSigned) waiting.push([{ ...one, isSigned }, waitsFor])
      else forged.push(one)
    }
    return { forged, admitted, waiting }
  }

  function refuse({ statement, sender }: Candidate, refused: Refused, text: string | undefined): void {
    const { reason, isRetryable } = refused
    refusals.note(sender, { id: statement.id, reason, isLasting: !isRetryable })
    if (!isRetryable && text !== undefined) remember(text, refused)
  }

  function remember(text: string, { reason, isRetryable }: Refused): void {
    refusedTexts.set(sha256(text), { reason, isRetryable })
    dropOldest(refusedTexts, MOST_REFUSED)
  }

  function isTurnOver(chars: number): boolean {
    since.chars += chars
    since.statements++
    if (since.chars < SLICE.chars && since.statements < SLICE.statements) return false
    since = { chars: 0, statements: 0 }
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
