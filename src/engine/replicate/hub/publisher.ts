import { subjectOf } from '../../../domain/hub/subject.ts'
import { latestAcceptedTime } from '../../../domain/speaking/redate.ts'
import { hasLostContent, type Statement, textOf } from '../../../domain/statements/statement.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { Parts } from '../../parts.ts'
import type { HubConnection, HubMessage, HubOutcome, RefusedByHub } from '../../ports/hub.ts'
import { formOf, formOfText } from '../cacpd/digests.ts'
import { idIn } from '../intake/read-ids.ts'
import type { MayHave } from '../link/may-have.ts'
import type { Refusals } from '../link/refusals.ts'
import type { HubClock } from './hub-clock.ts'
import type { LastRegisters } from './last-registers.ts'
import { isUnpublished, type Offer, type Offers } from './offers.ts'
import type { Positions } from './positions.ts'
import { HUB_SENDER, type Reader } from './reader.ts'

export interface PublisherDeps extends Pick<Parts, 'store' | 'view' | 'rules' | 'random'> {
  readonly org: string
  readonly connection: HubConnection
  readonly signal: AbortSignal
  readonly offers: Offers
  readonly positions: Positions
  readonly reader: Reader
  readonly lasts: LastRegisters
  readonly mayHave: MayHave
  readonly hubClock: HubClock
  /** What the hub does not take. */
  readonly refusedThere: Refusals
  /** Told when the hub does not take something of this project. */
  onRefused(refused: RefusedByHub, projectId: string): void
  /** Told when this daemon may not erase. */
  onForbidden(fault: Fault): void
}

interface Ready {
  readonly offer: Offer
  readonly statement: Statement
  readonly message: HubMessage
}

/** How often a register is tried that others publish at the same time. */
const MOST_ATTEMPTS = 3

/** Publishes what is offered, registers only in the place of older ones, and erases what was taken away. */
export class Publisher {
  readonly #deps: PublisherDeps

  constructor(deps: PublisherDeps) {
    this.#deps = deps
  }

  async publish(open: readonly Offer[]): Promise<void> {
    const { mayHave, hubClock } = this.#deps
    const found = await this.#stillHere(open.filter(isUnpublished))
    const statements = Array.from(found.values())
    const given = new Set(await mayHave.remember(statements, hubClock.now()))
    const wanted = Array.from(found).filter(([, statement]) => given.has(statement))
    for (const batch of this.#batches(wanted)) await this.#send(batch, 1)
    for (const offer of open) {
      const isThere = offer.stored !== undefined || offer.isRead
      if (offer.redacts !== undefined && isThere) await this.#erase(offer)
    }
  }

  /** The view is ahead of the disk: a redaction that is only in memory is perhaps never made. */
  async #stillHere(offers: readonly Offer[]): Promise<ReadonlyMap<Offer, Statement>> {
    const find = () => new Map(offers.flatMap((one) => this.#find(one)))
    const found = find()
    const dependsOnView = Array.from(found.values()).some(hasLostContent)
    return dependsOnView ? this.#deps.store.commit(() => ({ result: find() })) : found
  }

  #find(offer: Offer): [Offer, Statement][] {
    const { view, offers, hubClock } = this.#deps
    const statement = view.projects.get(offer.projectId)?.said.get(offer.id)
    if (statement === undefined || formOf(statement) !== offer.form) {
      offers.drop(offer)
      if (statement !== undefined) offers.addMissing([statement])
      return []
    }
    const hubNow = hubClock.now()
    // The daemons that read it would not take it; what is dated ahead can only be said again while nobody has it.
    const isAhead = offer.isOwn && hubNow !== undefined && statement.at > latestAcceptedTime(hubNow)
    return isAhead ? [] : [[offer, statement]]
  }

  *#batches(wanted: readonly [Offer, Statement][]): Iterable<readonly [Offer, Statement][]> {
    const { batchItems, batchBytes } = this.#deps.rules
    let batch: [Offer, Statement][] = []
    let chars = 0
    for (const one of wanted) {
      if (batch.length >= batchItems || chars >= batchBytes) {
        yield batch
        batch = []
        chars = 0
      }
      batch.push(one)
      chars += textOf(one[1]).length
    }
    if (batch.length > 0) yield batch
  }

  async #send(batch: readonly [Offer, Statement][], attempt: number): Promise<void> {
    const { connection } = this.#deps
    const ready = (await Promise.all(batch.map(([offer, one]) => this.#ready(offer, one)))).flat()
    if (ready.length === 0) return
    const outcomes = await connection.publish(ready.map(({ message }) => message))
    const again = ready.filter((one, index) => this.#note(one, outcomes[index]) === 'again')
    if (again.length > 0 && attempt < MOST_ATTEMPTS)
      await this.#send(
        again.map(({ offer, statement }) => [offer, statement]),
        attempt + 1,
      )
  }

  async #ready(offer: Offer, statement: Statement): Promise<Ready[]> {
    const { org, random } = this.#deps
    const subject = subjectOf(org, statement)
    // By chance, so that nobody can take the other id as well.
    const id = offer.isIdTaken ? `${offer.form} ${random()}` : offer.form
    const message = { subject, id, text: textOf(statement) }
    if (offer.stream === 'facts') return [{ offer, statement, message }]
    const after = await this.#lastBefore(offer, message)
    return after === undefined ? [] : [{ offer, statement, message: { ...message, after } }]
  }

  /** The message that this register may displace; undefined when there is none, for what is there is as new. */
  async #lastBefore(offer: Offer, { subject, text }: HubMessage): Promise<number | undefined> {
    const { connection, lasts, reader, view, offers, positions } = this.#deps
    const known = lasts.get(subject)
    if (known !== undefined) return known
    const last = await connection.lastOf(subject)
    if (last === undefined) return 0
    if (last.text === text) {
      offers.published(offer, last.sequence, last.sequence <= positions.of('registers'))
      return undefined
    }
    // What cannot be taken yet keeps no place: anybody could block it. Its author offers it again.
    await reader.take('registers', [last])
    const isOvertaken = view.projects.get(offer.projectId)?.said.get(offer.id) === undefined
    if (!isOvertaken) return last.sequence
    offers.drop(offer)
    return undefined
  }

  #note({ offer, statement, message }: Ready, outcome: HubOutcome | undefined): 'again' | undefined {
    const { offers, positions, lasts, refusedThere, onRefused } = this.#deps
    switch (outcome?.status) {
      case 'stored':
      case 'known': {
        const { sequence } = outcome
        if (offer.stream === 'registers') lasts.note(message.subject, sequence)
        const isPassed = sequence <= positions.of(offer.stream)
        // Comparing read all that is there, and this statement was not among it.
        const isMissing = offer.seq === undefined && offer.stream === 'facts'
        // A cluster that has not stored it yet says that it knows it, without its place.
        const hasNoPlace = sequence === 0
        if (outcome.status === 'known' && ((isPassed && isMissing) || hasNoPlace)) offers.isNotThere(offer)
        else offers.published(offer, sequence, isPassed)
        refusedThere.takeBack(HUB_SENDER, offer.form)
        return undefined
      }
      case 'overtaken':
        lasts.forget(message.subject)
        return 'again'
      case 'refused':
        refusedThere.note(HUB_SENDER, { id: offer.form, reason: `${statement.kind}: ${outcome.reason}` })
        onRefused(outcome, offer.projectId)
        offers.drop(offer)
        return undefined
      default:
        throw new Fault('unavailable', 'The hub does not say what became of a message')
    }
  }

  async #erase(offer: Offer): Promise<void> {
    const { org, view, connection, offers, signal } = this.#deps
    const id = offer.redacts ?? ''
    const statement = view.projects.get(offer.projectId)?.said.fact(id)
    if (statement !== undefined) {
      const { last } = await connection.stateOf('facts')
      const range = { after: 0, upTo: last, subject: subjectOf(org, statement) }
      const withContent: number[] = []
      for await (const messages of connection.read('facts', range, signal))
        for (const { text, sequence } of messages)
          if (idIn(text) === id && formOfText(id, text) === id) withContent.push(sequence)
      for (const sequence of withContent) await this.erase(sequence)
    }
    offers.erased(offer)
  }

  /** Where this daemon may not, that is told, and no reason to stop. */
  async erase(sequence: number): Promise<void> {
    const { connection, onForbidden } = this.#deps
    try {
      await connection.erase('facts', sequence)
    } catch (error) {
      const fault = Fault.from(error)
      if (fault.kind !== 'forbidden') throw fault
      onForbidden(fault)
    }
  }
}
