import { subjectOf } from '../../../domain/hub/subject.ts'
import { latestAcceptedTime } from '../../../domain/speaking/redate.ts'
import { hasLostContent, type Statement, textOf } from '../../../domain/statements/statement.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { HubMessage, HubOutcome } from '../../ports/hub.ts'
import { formOf, formOfText } from '../cacpd/digests.ts'
import { idIn } from '../intake/read-ids.ts'
import { batchesOf } from '../link/batches.ts'
import type { MayHave } from '../link/may-have.ts'
import { isUnpublished, type Offer } from './offers.ts'
import { HUB_SENDER, type Reader } from './reader.ts'
import type { InSession } from './session.ts'

interface PublisherDeps extends InSession {
  readonly reader: Reader
  readonly mayHave: MayHave
}

interface Ready {
  readonly offer: Offer
  readonly statement: Statement
  readonly message: HubMessage
}

/** How often a register is tried that others publish at the same time. */
const MOST_ATTEMPTS = 3

export type Publisher = ReturnType<typeof createPublisher>

/** Publishes what is offered, registers only in the place of older ones, and erases what was taken away. */
export function createPublisher(deps: PublisherDeps) {
  const { hub, connection, signal, offers, positions, reader, lasts, mayHave, hubClock } = deps
  const { store, view, rules, random, comparing, refusedThere, tell } = deps
  return { publish, erase }

  async function publish(open: readonly Offer[]): Promise<void> {
    const found = await stillHere(open.filter(isUnpublished))
    const statements = Array.from(found.values())
    const given = new Set(await mayHave.remember(statements, hubClock.now()))
    const wanted = Array.from(found).filter(([, statement]) => given.has(statement))
    for (const batch of batchesOf(wanted, ([, one]) => textOf(one).length, rules)) await send(batch, 1)
    for (const offer of open) {
      const isThere = offer.stored !== undefined || offer.isRead
      if (offer.redacts !== undefined && isThere) await eraseRedacted(offer, offer.redacts)
    }
  }

  /** The view is ahead of the disk: a redaction that is only in memory is perhaps never made. */
  async function stillHere(open: readonly Offer[]): Promise<ReadonlyMap<Offer, Statement>> {
    const findAll = () => new Map(open.flatMap(find))
    const found = findAll()
    const dependsOnView = Array.from(found.values()).some(hasLostContent)
    return dependsOnView ? store.commit(() => ({ result: findAll() })) : found
  }

  function find(offer: Offer): [Offer, Statement][] {
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

  async function send(batch: readonly [Offer, Statement][], attempt: number): Promise<void> {
    const ready = (await Promise.all(batch.map(([offer, one]) => readyFor(offer, one)))).flat()
    if (ready.length === 0) return
    const outcomes = await connection.publish(ready.map(({ message }) => message))
    const again = ready.filter((one, index) => note(one, outcomes[index]) === 'again')
    if (again.length > 0 && attempt < MOST_ATTEMPTS)
      await send(
        again.map(({ offer, statement }) => [offer, statement]),
        attempt + 1,
      )
  }

  async function readyFor(offer: Offer, statement: Statement): Promise<Ready[]> {
    const subject = subjectOf(hub.org, statement)
    // By chance, so that nobody can take the other id as well.
    const id = offer.isIdTaken ? `${offer.form} ${random()}` : offer.form
    const message = { subject, id, text: textOf(statement) }
    if (offer.stream === 'facts') return [{ offer, statement, message }]
    const after = await lastBefore(offer, message)
    return after === undefined ? [] : [{ offer, statement, message: { ...message, after } }]
  }

  /** The message that this register may displace; undefined when there is none, for what is there is as new. */
  async function lastBefore(offer: Offer, { subject, text }: HubMessage): Promise<number | undefined> {
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

  function note({ offer, statement, message }: Ready, outcome: HubOutcome | undefined): 'again' | undefined {
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
        comparing.refused(offer.projectId)
        tell(outcome.trouble, outcome.reason)
        offers.drop(offer)
        return undefined
      default:
        throw new Fault('unavailable', 'The hub does not say what became of a message')
    }
  }

  async function eraseRedacted(offer: Offer, id: string): Promise<void> {
    const statement = view.projects.get(offer.projectId)?.said.fact(id)
    if (statement !== undefined) {
      const { last } = await connection.stateOf('facts')
      const range = { after: 0, upTo: last, subject: subjectOf(hub.org, statement) }
      const withContent: number[] = []
      for await (const messages of connection.read('facts', range, signal))
        for (const { text, sequence } of messages)
          if (idIn(text) === id && formOfText(id, text) === id) withContent.push(sequence)
      for (const sequence of withContent) await erase(sequence)
    }
    offers.erased(offer)
  }

  /** Where this daemon may not, that is told, and no reason to stop. */
  async function erase(sequence: number): Promise<void> {
    try {
      await connection.erase('facts', sequence)
    } catch (error) {
      const fault = Fault.from(error)
      if (fault.kind !== 'forbidden') throw fault
      tell('permission', fault.message)
    }
  }
}
