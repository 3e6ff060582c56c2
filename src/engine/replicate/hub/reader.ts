import type { Caller } from '../../../domain/env.ts'
import { isInProject } from '../../../domain/hub/subject.ts'
import { readStatement } from '../../../domain/statements/statement.ts'
import type { IntakeOutcome } from '../../../methods/services.ts'
import type { Parts } from '../../parts.ts'
import type { HubConnection, HubRange, HubStream, StoredMessage } from '../../ports/hub.ts'
import { type Form, formOfText } from '../cacpd/digests.ts'
import { idIn, projectIdIn } from '../intake/read-ids.ts'
import type { Refusals } from '../link/refusals.ts'
import type { LastRegisters } from './last-registers.ts'
import type { Offers } from './offers.ts'

/** By this name it is told what was refused of the hub, and what waits; no agent has it. */
export const HUB_SENDER = 'hub'

const FROM: { readonly caller: Caller } = {
  caller: { kind: 'peer', agentId: HUB_SENDER, repoName: null },
}

export interface ReaderDeps extends Pick<Parts, 'intake' | 'view' | 'self' | 'refusals'> {
  readonly org: string
  readonly connection: Pick<HubConnection, 'read'>
  readonly offers: Offers
  readonly lasts: LastRegisters
  /** What the hub did not take of us. */
  readonly refusedThere: Refusals
  /** A digest of a project was read. Returns false where the message is none. */
  onDigest(message: StoredMessage): boolean
  /** Something on the hub is not as it should be in this project. */
  onDoubt(projectId: string): void
  /** A content is there that this daemon itself took away. */
  onReappeared(sequence: number): void
  /** Our key said something that this daemon did not. */
  onOwnNews(id: string, projectId: string): void
}

/** A message with a statement, as far as it is known without reading all of it. */
interface Carried {
  readonly message: StoredMessage
  readonly id: string
  readonly projectId: string
  readonly form: Form
}

/** Messages that are taken in together: they are on disk with one sync. */
const TOGETHER = 500

/** Takes in what is read on the hub, as if a peer had sent it. */
export class Reader {
  readonly #deps: ReaderDeps

  constructor(deps: ReaderDeps) {
    this.#deps = deps
  }

  /** Reads and takes in; `passed` is told of every message up to which all is on disk. */
  async follow(
    stream: HubStream,
    range: HubRange & { signal: AbortSignal },
    passed: (last: StoredMessage) => void,
  ): Promise<void> {
    const { signal, ...wanted } = range
    for await (const messages of this.#deps.connection.read(stream, wanted, signal)) {
      for (let next = 0; next < messages.length && !signal.aborted; next += TOGETHER) {
        const together = messages.slice(next, next + TOGETHER)
        await this.take(stream, together)
        const last = together.at(-1)
        if (last !== undefined) passed(last)
      }
      if (signal.aborted) return
    }
  }

  /** On disk when it returns, or refused, or waiting. Returns what became of those with statements. */
  async take(
    stream: HubStream,
    messages: readonly StoredMessage[],
  ): Promise<ReadonlyMap<StoredMessage, IntakeOutcome>> {
    const { intake, offers } = this.#deps
    const carried = messages.flatMap((message) => this.#carriedBy(stream, message) ?? [])
    if (carried.length === 0) return new Map()
    offers.arriving(carried.map(({ form }) => form))
    let outcomes: readonly IntakeOutcome[] = []
    try {
      outcomes = await intake.take(
        carried.map(({ message }) => message.text),
        FROM,
      )
    } finally {
      offers.arrived(
        carried.map(({ form, projectId }, index) => ({
          form,
          projectId,
          isRefused: (outcomes[index]?.status ?? 'refused') === 'refused',
        })),
      )
    }
    const became = new Map<StoredMessage, IntakeOutcome>()
    for (const [index, one] of carried.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined) continue
      became.set(one.message, outcome)
      this.#look(stream, one, outcome)
    }
    return became
  }

  #carriedBy(stream: HubStream, message: StoredMessage): Carried | undefined {
    const { org, onDigest } = this.#deps
    const { text, subject } = message
    if (stream === 'registers' && onDigest(message)) return undefined
    if (text === '') return this.#refuse(stream, message, { reason: 'is larger than any statement' })
    const projectId = projectIdIn(text)
    const id = idIn(text)
    if (projectId === undefined || id === undefined)
      return this.#refuse(stream, message, { reason: 'is no statement' })
    if (!isInProject(org, subject, projectId))
      return this.#refuse(stream, message, {
        id,
        reason: 'is on a subject of another project or organisation',
      })
    return { message, id, projectId, form: formOfText(id, text) }
  }

  #refuse(
    stream: HubStream,
    { subject, sequence }: StoredMessage,
    { id = `message ${sequence} of the ${stream}`, reason }: { id?: string; reason: string },
  ): undefined {
    this.#deps.refusals.note(HUB_SENDER, { id: id.toWellFormed(), reason, isLasting: true })
    if (stream === 'registers') this.#doubt(subject)
  }

  /** What was displaced by it has to get there again. */
  #doubt(subject: string): void {
    const { view, onDoubt } = this.#deps
    const [, , token = ''] = subject.split('.', 3)
    if (view.projects.get(token) !== undefined) onDoubt(token)
  }

  /** What could not be judged may be newer than ours, and is not displaced without looking at it again. */
  #noteLast({ subject, sequence }: StoredMessage, { status }: IntakeOutcome): void {
    const { lasts } = this.#deps
    if (status === 'taken' || status === 'known') lasts.note(subject, sequence)
    else lasts.forget(subject)
  }

  #look(stream: HubStream, { message, id, projectId, form }: Carried, outcome: IntakeOutcome): void {
    const { view, self, offers, refusedThere, onReappeared, onOwnNews } = this.#deps
    const { text, subject, sequence } = message
    // Somebody else may have published it.
    if (outcome.status !== 'refused') refusedThere.takeBack(HUB_SENDER, form)
    if (stream === 'registers') this.#noteLast(message, outcome)
    if (stream === 'registers' && outcome.status === 'refused') this.#doubt(subject)
    const said = view.projects.get(projectId)?.said
    if (outcome.status === 'taken' && text.includes(`"key":"${self.signer.keyId}"`)) onOwnNews(id, projectId)
    if (outcome.status !== 'known' || said === undefined) return
    const kept = said.get(id)
    if (stream === 'registers' && kept === undefined) {
      const read = readStatement(text)
      const newer = 'statement' in read ? said.inPlaceOf(read.statement)?.statement : undefined
      if (newer !== undefined) offers.addMissing([newer])
    }
    const isTakenAway = stream === 'facts' && form === id && kept?.content_hash !== undefined
    if (isTakenAway && [...said.redactionsOf(id)].some(({ key }) => key === self.signer.keyId))
      onReappeared(sequence)
  }
}
