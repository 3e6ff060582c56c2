import { type HubScope, travels } from '../../../domain/hub/travelling.ts'
import { isRegister } from '../../../domain/statements/kinds.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import type { Parts } from '../../parts.ts'
import type { HubStream } from '../../ports/hub.ts'
import { type Form, formOf } from '../cacpd/digests.ts'

/** A statement that the hub may lack. */
export interface Offer {
  readonly form: Form
  readonly id: string
  readonly projectId: string
  readonly isOwn: boolean
  readonly stream: HubStream
  /** Its number in the order of our store; none for one that was found missing by comparing. */
  seq: number | undefined
  /** The statement of which the content is to be erased from the hub, as this redaction of our own says. */
  redacts: string | undefined
  /** The message in which the hub says that it has it; it is done when that was read. */
  stored: number | undefined
  isRead: boolean
  /** The hub has something else under its id, so that it takes it only under another one. */
  isIdTaken: boolean
}

interface OfProject {
  /** When something is to be published. */
  due: number
  readonly offers: Map<Form, Offer>
}

export interface OffersDeps
  extends Pick<Parts, 'self' | 'view' | 'statements' | 'timers' | 'random' | 'rules'> {
  scope: HubScope
  /** Where to go on from in the order of our store. */
  after: number
  /** Whether the hub has yet to get everything: then all daemons offer at the same time. */
  isAnew: boolean
}

/** So many wait to be published at a time, and so many are remembered that were read and are not known here yet. */
const MOST_OFFERS = 5000
const MOST_SEEN = 100_000

/**
 * What has to be published, by project and in the order of our store. A statement leaves this list only when it was read
 * on the hub: so the position up to which all is there and the one up to which all is read can be saved together.
 */
export class Offers {
  readonly #deps: OffersDeps
  readonly #projects = new Map<string, OfProject>()
  readonly #published = new Set<Offer>()
  /** Read on the hub before they are durable here. */
  readonly #seen = new Set<Form>()
  /** What came later is new to everybody. */
  readonly #before: number
  #scanned: number
  #unpublished = 0
  #arriving = 0

  constructor(deps: OffersDeps) {
    this.#deps = deps
    this.#before = deps.statements.seq
    this.#scanned = Math.min(deps.after, deps.statements.seq)
  }

  /** Looks at what became durable since. */
  scan(): void {
    const { statements, view, scope } = this.#deps
    for (const { seq, statement } of statements.after(this.#scanned)) {
      if (this.#unpublished >= MOST_OFFERS) return
      this.#scanned = seq
      const isRead = this.#seen.delete(formOf(statement))
      if (travels(view.projects.get(statement.project_id), scope)) this.#add(statement, { seq, isRead })
    }
    this.#scanned = statements.seq
    if (this.#arriving === 0) this.#seen.clear()
  }

  /** Of a project that was compared: the hub has not got these. Returns whether there was room for all of them. */
  addMissing(statements: readonly Statement[]): boolean {
    for (const one of statements) {
      if (this.#unpublished >= MOST_OFFERS) return false
      this.#add(one, { seq: undefined, isRead: false })
    }
    return true
  }

  /** These are being read on the hub. */
  arriving(forms: readonly Form[]): void {
    this.#arriving++
    for (const form of forms) if (this.#seen.size < MOST_SEEN) this.#seen.add(form)
  }

  /** What was refused is not there, whatever it calls itself; the rest is there, and on our disk. */
  arrived(messages: readonly { form: Form; projectId: string; isRefused: boolean }[]): void {
    this.#arriving--
    for (const { form, projectId, isRefused } of messages)
      if (isRefused) this.#seen.delete(form)
      else this.#noteRead(this.#projects.get(projectId)?.offers.get(form))
  }

  /** Everything up to this message was read. A fact that was not among it is not there, whatever the hub said. */
  passed(stream: HubStream, sequence: number): void {
    for (const offer of this.#published) {
      if (offer.stream !== stream || offer.stored === undefined || offer.stored > sequence) continue
      // Of a register only the last message can be read.
      if (stream === 'registers') this.#noteRead(offer)
      else this.isNotThere(offer)
    }
  }

  /** The hub says that it has it, and has not: somebody used its id for something else, or a server of a cluster was lost. */
  isNotThere(offer: Offer): void {
    if (!this.#isHere(offer) || offer.isRead) return
    if (offer.stored !== undefined) this.#unpublished++
    this.#published.delete(offer)
    offer.stored = undefined
    offer.isIdTaken = true
  }

  /** The hub has it in this message. */
  published(offer: Offer, sequence: number, isRead: boolean): void {
    if (!this.#isHere(offer) || offer.isRead) return
    if (offer.stored === undefined) this.#unpublished--
    offer.stored = sequence
    this.#published.add(offer)
    if (isRead) this.#noteRead(offer)
  }

  /** What it redacts is erased, or never will be. */
  erased(offer: Offer): void {
    offer.redacts = undefined
    if (offer.isRead) this.drop(offer)
  }

  /** It is not to be published any more. */
  drop(offer: Offer): void {
    const { projectId, form } = offer
    if (!this.#isHere(offer)) return
    this.#projects.get(projectId)?.offers.delete(form)
    if (this.#projects.get(projectId)?.offers.size === 0) this.#projects.delete(projectId)
    this.#published.delete(offer)
    if (isUnpublished(offer)) this.#unpublished--
  }

  /** The projects of which something is due now, with all that is to be done about them. */
  due(): (readonly [projectId: string, offers: readonly Offer[]])[] {
    const now = this.#deps.timers.millis()
    return Array.from(this.#projects).flatMap(([projectId, { due, offers }]) => {
      const open = due > now ? [] : [...offers.values()].filter(isOpen)
      return open.length === 0 ? [] : [[projectId, open] as const]
    })
  }

  /** Whole milliseconds until something is due; undefined when nothing is. */
  untilDue(): number | undefined {
    let next: number | undefined
    for (const { due, offers } of this.#projects.values())
      if ((next === undefined || due < next) && [...offers.values()].some(isOpen)) next = due
    return next === undefined ? undefined : Math.max(0, Math.ceil(next - this.#deps.timers.millis()))
  }

  postpone(projectId: string, millis: number): void {
    const ofProject = this.#projects.get(projectId)
    if (ofProject !== undefined) ofProject.due = this.#deps.timers.millis() + millis
  }

  has(projectId: string): boolean {
    return this.#projects.has(projectId)
  }

  /** The hub has everything up to here in what was read. */
  get offered(): number {
    let offered = this.#scanned
    for (const { offers } of this.#projects.values())
      for (const { seq } of offers.values()) if (seq !== undefined) offered = Math.min(offered, seq - 1)
    return offered
  }

  get count(): number {
    let count = this.#deps.statements.countAfter(this.#scanned)
    for (const { offers } of this.#projects.values()) count += offers.size
    return count
  }

  #add(statement: Statement, { seq, isRead }: Pick<Offer, 'seq' | 'isRead'>): void {
    const { self, timers } = this.#deps
    const { project_id: projectId, key, id } = statement
    const isOwn = key === self.signer.keyId
    const redacted = this.#redactedBy(statement)
    const redacts = isOwn ? redacted?.id : undefined
    if (isRead && redacts === undefined) return
    const form = formOf(statement)
    const isOld = this.#deps.isAnew && (seq === undefined || seq <= this.#before)
    const isSoon = isOwn && seq !== undefined && !isOld
    const due = timers.millis() + (isSoon ? 0 : this.#delay({ isOld, isOwn }))
    const ofProject = getOrAdd(this.#projects, projectId, () => ({ due, offers: new Map<Form, Offer>() }))
    if (isSoon) ofProject.due = Math.min(ofProject.due, due)
    const known = ofProject.offers.get(form)
    if (known !== undefined) {
      known.seq ??= seq
      return
    }
    const stream = streamOf(statement)
    const isUntried = { stored: undefined, isIdTaken: false }
    ofProject.offers.set(form, { form, id, projectId, isOwn, stream, seq, redacts, isRead, ...isUntried })
    if (!isRead) this.#unpublished++
    // Whoever comes later finds what is left of it.
    if (redacted !== undefined && seq !== undefined && !isRead)
      this.#add(redacted, { seq: undefined, isRead: false })
  }

  /** What others said is left to others for a while. After a loss everybody waits by chance, whoever said it less. */
  #delay({ isOld, isOwn }: { isOld: boolean; isOwn: boolean }): number {
    const { random, rules } = this.#deps
    const { graceMillis, spreadMillis } = rules.hub
    return isOld ? random() * spreadMillis + (isOwn ? 0 : graceMillis) : graceMillis * (1 + random())
  }

  #redactedBy({ kind, body, project_id }: Statement): Statement | undefined {
    if (kind !== 'redaction') return undefined
    const found = this.#deps.view.projects.get(project_id)?.said.fact(String(body['of']))
    return found?.content_hash === undefined ? undefined : found
  }

  #noteRead(offer: Offer | undefined): void {
    if (offer === undefined) return
    if (offer.redacts === undefined) {
      this.drop(offer)
      return
    }
    if (isUnpublished(offer)) this.#unpublished--
    this.#published.delete(offer)
    offer.isRead = true
  }

  #isHere(offer: Offer): boolean {
    return this.#projects.get(offer.projectId)?.offers.get(offer.form) === offer
  }
}

export const streamOf = (statement: Statement): HubStream => (isRegister(statement) ? 'registers' : 'facts')

export const isUnpublished = ({ stored, isRead }: Offer): boolean => stored === undefined && !isRead

const isOpen = (offer: Offer): boolean => isUnpublished(offer) || offer.redacts !== undefined
