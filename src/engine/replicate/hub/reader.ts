import type { Caller } from '../../../domain/env.ts'
import { isInProject } from '../../../domain/hub/subject.ts'
import { readStatement } from '../../../domain/statements/statement.ts'
import type { IntakeOutcome } from '../../../methods/services.ts'
import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'
import type { HubRange, HubStream, StoredMessage } from '../../ports/hub.ts'
import { type Form, formOfText } from '../cacpd/digests.ts'
import { idIn, projectIdIn } from '../intake/read-ids.ts'
import type { InSession } from './session.ts'

/** By this name it is told what was refused of the hub, and what waits; no agent has it. */
export const HUB_SENDER = 'hub'

const FROM: { readonly caller: Caller } = {
  caller: { kind: 'peer', agentId: HUB_SENDER, repoName: null },
}

interface ReaderDeps extends InSession {
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

export type Reader = ReturnType<typeof createReader>

/** Takes in what is read on the hub, as if a peer had sent it. */
export function createReader(deps: ReaderDeps) {
  const { hub, connection, comparing, intake, view, self, offers, lasts, refusals, refusedThere } = deps
  return { follow, take }

  /** Reads and takes in; `passed` is told of every message up to which all is on disk. */
  async function follow(
    stream: HubStream,
    { signal, ...wanted }: HubRange & { signal: AbortSignal },
    passed: (last: StoredMessage) => void,
  ): Promise<void> {
    for await (const messages of connection.read(stream, wanted, signal)) {
      for (let next = 0; next < messages.length && !signal.aborted; next += TOGETHER) {
        const together = messages.slice(next, next + TOGETHER)
        await take(stream, together)
        const last = together.at(-1)
        if (last !== undefined) passed(last)
      }
      if (signal.aborted) return
    }
  }

  /** On disk when it returns, or refused, or waiting. Returns what became of those with statements. */
  async function take(
    stream: HubStream,
    messages: readonly StoredMessage[],
  ): Promise<ReadonlyMap<StoredMessage, IntakeOutcome>> {
    const carried = messages.flatMap((message) => carriedBy(stream, message) ?? [])
    if (carried.length === 0) return new Map()
    offers.arriving(carried.map(({ form }) => form))
    const texts = carried.map(({ message }) => message.text)
    let outcomes: readonly IntakeOutcome[] = []
    try {
      outcomes = await intake.take(texts, FROM)
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
      look(stream, one, outcome)
    }
    return became
  }

  function carriedBy(stream: HubStream, message: StoredMessage): Carried | undefined {
    const { text, subject } = message
    if (stream === 'registers' && comparing.noteDigest(message)) return undefined
    if (text === '') return refuse(stream, message, 'is larger than any statement')
    const projectId = projectIdIn(text)
    const id = idIn(text)
    if (projectId === undefined || id === undefined) return refuse(stream, message, 'is no statement')
    if (!isInProject(hub.org, subject, projectId))
      return refuse(stream, message, 'is on a subject of another project or organisation', id)
    return { message, id, projectId, form: formOfText(id, text) }
  }

  function refuse(
    stream: HubStream,
    { subject, sequence }: StoredMessage,
    reason: string,
    id = `message ${sequence} of the ${stream}`,
  ): undefined {
    refusals.note(HUB_SENDER, { id: id.toWellFormed(), reason, isLasting: true })
    if (stream === 'registers') doubt(subject)
  }

  /** What was displaced by it has to get there again. */
  function doubt(subject: string): void {
    const [, , token = ''] = subject.split('.', 3)
    if (view.projects.get(token) !== undefined) comparing.doubt(token)
  }

  /** What could not be judged may be newer than ours, and is not displaced without looking at it again. */
  function noteLast({ subject, sequence }: StoredMessage, { status }: IntakeOutcome): void {
    if (status === 'taken' || status === 'known') lasts.note(subject, sequence)
    else lasts.forget(subject)
  }

  function look(stream: HubStream, { message, id, projectId, form }: Carried, outcome: IntakeOutcome): void {
    const { text, subject, sequence } = message
    // Somebody else may have published it.
    if (outcome.status !== 'refused') refusedThere.takeBack(HUB_SENDER, form)
    if (stream === 'registers') noteLast(message, outcome)
    if (stream === 'registers' && outcome.status === 'refused') doubt(subject)
    const said = view.projects.get(projectId)?.said
    if (outcome.status === 'taken' && text.includes(`"key":"${self.signer.keyId}"`))
      deps.onOwnNews(id, projectId)
    if (outcome.status !== 'known' || said === undefined) return
    const kept = said.get(id)
    if (stream === 'registers' && kept === undefined) {
      const read = readStatement(text)
      const newer = 'statement' in read ? said.inPlaceOf(read.statement)?.statement : undefined
      if (newer !== undefined) offers.addMissing([newer])
    }
    const isTakenAway = stream === 'facts' && form === id && kept?.content_hash !== undefined
    if (isTakenAway && [...said.redactionsOf(id)].some(({ key }) => key === self.signer.keyId))
      deps.onReappeared(sequence)
  }
}

const MOST_KNOWN = 10_000

export type LastRegisters = ReturnType<typeof createLastRegisters>

/** Of the registers that were published or read last, by subject: the message that is the last one there. */
export function createLastRegisters() {
  const sequences = new Map<string, number>()
  return {
    get: (subject: string): number | undefined => sequences.get(subject),
    note(subject: string, sequence: number): void {
      if (sequence < (sequences.get(subject) ?? 0)) return
      sequences.delete(subject)
      sequences.set(subject, sequence)
      dropOldest(sequences, MOST_KNOWN)
    },
    forget: (subject: string): boolean => sequences.delete(subject),
  }
}
