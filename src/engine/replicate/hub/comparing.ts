import { digestSubject, subjectsIn } from '../../../domain/hub/subject.ts'
import { type HubScope, travels } from '../../../domain/hub/travelling.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import { jsonIn } from '../../../protocol/json/in.ts'
import { isJsonObject } from '../../../protocol/json/json.ts'
import type { Parts } from '../../parts.ts'
import type { HubConnection, HubStream, StoredMessage } from '../../ports/hub.ts'
import { type Form, formOfText, idOfForm } from '../cacpd/digests.ts'
import { idIn } from '../intake/read-ids.ts'
import { streamOf } from './offers.ts'
import type { Reader } from './reader.ts'
import type { InSession } from './session.ts'

export interface ComparingDeps extends Pick<Parts, 'digests' | 'view' | 'timers' | 'random' | 'rules'> {
  readonly org: string
  readonly scope: HubScope
}

/** What is used of one connection. */
export interface ComparingOver extends Pick<InSession, 'connection' | 'offers' | 'signal'> {
  readonly reader: Reader
  /** Whether everything that is on the hub was read. */
  reachEnd(): Promise<boolean>
}

interface ReadingAgain extends ComparingOver {
  readonly streams: readonly HubStream[]
}

interface Digest {
  readonly digest: string
  readonly sequence: number
}

const STREAMS: readonly HubStream[] = ['facts', 'registers']
/** What stands for the digest of a project that nobody has written yet. */
const NONE = ''
/** Projects that are not here of which somebody wrote a digest. */
const MOST_UNKNOWN = 200
/** Comparisons become rarer up to so many doublings while a project never becomes equal. */
const MOST_DOUBLINGS = 6
const FEW_DOUBLINGS = 2
/** How often somebody who knows better is left to write first, after a start. */
const PATIENCE = 2
/** A project that never rests is compared all the same, after so many times the quiet time. */
const LONGEST_WAIT = 60

/**
 * Finds what the hub lost, or what we did, by one register for each project with the digest of all its statements: one
 * daemon writes it when the project has come to rest, and the others see that theirs is equal. Who differs reads the
 * project again from the beginning, and offers what the hub lacks.
 */
export class Comparing {
  readonly #deps: ComparingDeps
  /** By project, when it is compared, and since when that is waited for. */
  readonly #due = new Map<string, { readonly at: number; readonly since: number }>()
  /** What was read last. */
  readonly #read = new Map<string, Digest>()
  /** By project, the digest on the hub of which all is here, and all of ours was offered since. */
  readonly #settled = new Map<string, string>()
  readonly #tries = new Map<string, { readonly doublings: number; readonly next: number }>()
  readonly #patience = new Map<string, number>()
  /** Projects that are read again even if digests are equal. */
  readonly #doubted = new Set<string>()
  /** Projects of which the hub did not take something: a digest of ours would say that it has all. */
  readonly #refused = new Set<string>()
  #isReadingAgain = false

  constructor(deps: ComparingDeps) {
    this.#deps = deps
  }

  /** On another hub nothing of that is true. */
  forget(): void {
    const known = [this.#read, this.#settled, this.#tries, this.#patience, this.#doubted, this.#refused]
    for (const one of known) one.clear()
  }

  /** Everything is compared soon, and what was refused is tried again: on a new connection it may be allowed. */
  begin(): void {
    for (const projectId of this.#refused) this.#tries.delete(projectId)
    for (const { project } of this.#deps.view.projects.oldestFirst()) this.changed(project.project_id)
  }

  changed(projectId: string): void {
    const { timers, random, rules, view } = this.#deps
    const { quietMillis } = rules.hub
    const now = timers.millis()
    const before = this.#due.get(projectId)
    const isUnknown = view.projects.get(projectId) === undefined
    if (before === undefined && isUnknown && this.#due.size >= view.projects.size + MOST_UNKNOWN) return
    const since = before?.since ?? now
    const rested = Math.min(now + quietMillis * (1 + 2 * random()), since + LONGEST_WAIT * quietMillis)
    this.#due.set(projectId, { at: Math.max(rested, this.#tries.get(projectId)?.next ?? 0), since })
  }

  doubt(projectId: string): void {
    if (this.#isReadingAgain) return
    this.#doubted.add(projectId)
    this.changed(projectId)
  }

  refused(projectId: string): void {
    this.#refused.add(projectId)
    this.changed(projectId)
  }

  /** False where the message is no digest. */
  noteDigest({ subject, text, sequence }: StoredMessage): boolean {
    const { org, view } = this.#deps
    if (!subject.includes('.digest.') || !subject.endsWith('.all')) return false
    const value = text.length < 1000 ? jsonIn(text) : undefined
    const { project_id: projectId, digest } = isJsonObject(value) ? value : {}
    if (typeof projectId !== 'string' || digestSubject(org, projectId) !== subject) return false
    const isUnknown = view.projects.get(projectId) === undefined
    if (isUnknown && this.#read.size >= view.projects.size + MOST_UNKNOWN) return true
    this.#read.set(projectId, { digest: String(digest), sequence })
    this.changed(projectId)
    return true
  }

  /** Whole milliseconds until a project is due; undefined when none is. */
  untilDue(): number | undefined {
    let next: number | undefined
    for (const { at } of this.#due.values()) next = Math.min(next ?? at, at)
    return next === undefined ? undefined : Math.max(0, Math.ceil(next - this.#deps.timers.millis()))
  }

  async compareDue(over: ComparingOver): Promise<void> {
    const { timers, digests } = this.#deps
    const now = timers.millis()
    const due = Array.from(this.#due).flatMap(([projectId, { at }]) => (at <= now ? [projectId] : []))
    if (due.length === 0) return
    const isAtEnd = await over.reachEnd()
    const totals = await digests.totals()
    for (const projectId of due) {
      if (over.signal.aborted) return
      this.#due.delete(projectId)
      if (!isAtEnd || over.offers.has(projectId)) this.changed(projectId)
      else await this.#compare(projectId, totals.get(projectId), over)
    }
  }

  async #compare(
    projectId: string,
    ours: { readonly digest: string; readonly count: number } | undefined,
    over: ComparingOver,
  ): Promise<void> {
    const { view, scope } = this.#deps
    const found = view.projects.get(projectId)
    if (found !== undefined && !travels(found, scope)) return
    const there = await this.#digestOnHub(projectId, over.connection)
    const isDoubted = this.#doubted.has(projectId)
    const isEqual = ours?.digest === there?.digest
    if (isEqual && !isDoubted) {
      this.#settled.set(projectId, ours?.digest ?? NONE)
      this.#tries.delete(projectId)
      this.#refused.delete(projectId)
      return
    }
    const settled = this.#settled.get(projectId)
    const isThere = settled === (there?.digest ?? NONE) && !this.#refused.has(projectId)
    if (ours !== undefined && !isEqual && isThere) {
      await this.#write(projectId, { ...ours, after: there?.sequence ?? 0 }, over.connection)
      if (isDoubted) this.changed(projectId)
      return
    }
    const waited = this.#patience.get(projectId) ?? 0
    if (settled === undefined && there !== undefined && waited < PATIENCE) {
      this.#patience.set(projectId, waited + 1)
      return this.changed(projectId)
    }
    // Only a register can have been displaced; who reads all facts for one bad message would do so for every one.
    await this.#readAgain(projectId, there, { ...over, streams: isEqual ? ['registers'] : STREAMS })
  }

  async #digestOnHub(projectId: string, connection: HubConnection): Promise<Digest | undefined> {
    const known = this.#read.get(projectId)
    if (known !== undefined) return known
    const last = await connection.lastOf(digestSubject(this.#deps.org, projectId))
    if (last === undefined) return undefined
    // Whatever else is there is displaced.
    const isRead = this.noteDigest(last)
    this.#due.delete(projectId)
    return (isRead ? this.#read.get(projectId) : undefined) ?? { digest: '?', sequence: last.sequence }
  }

  async #write(
    projectId: string,
    { digest, count, after }: { digest: string; count: number; after: number },
    connection: HubConnection,
  ): Promise<void> {
    const subject = digestSubject(this.#deps.org, projectId)
    const text = JSON.stringify({ project_id: projectId, digest, count })
    const id = `${projectId} ${digest} ${after}`
    const [outcome] = await connection.publish([{ subject, id, text, after }])
    if (outcome?.status === 'stored' || outcome?.status === 'known') {
      this.#read.set(projectId, { digest, sequence: outcome.sequence })
      this.#settled.set(projectId, digest)
    } else if (outcome?.status === 'overtaken') {
      this.#read.delete(projectId)
      this.changed(projectId)
    }
  }

  /** Takes what we lack, and offers what the hub lacks. */
  async #readAgain(projectId: string, there: Digest | undefined, over: ReadingAgain): Promise<void> {
    const doublings = this.#trySeldom(projectId)
    this.#isReadingAgain = true
    try {
      // Asked before the hub: what comes from there meanwhile is not missing there.
      const ours = [...(await this.#deps.digests.forms(projectId))]
      const { forms, isUndecided } = await this.#takeAll(projectId, over)
      const missing = this.#missingFrom(forms, { projectId, ours }).filter((one) =>
        over.streams.includes(streamOf(one)),
      )
      const isAll = over.offers.addMissing(missing)
      this.#doubted.delete(projectId)
      this.#refused.delete(projectId)
      // Somebody may have dated something far ahead, or said too much: that keeps nobody from agreeing on the rest.
      const isDecided = !isUndecided || doublings >= FEW_DOUBLINGS
      if (isAll && isDecided) this.#settled.set(projectId, there?.digest ?? NONE)
      this.changed(projectId)
    } finally {
      this.#isReadingAgain = false
    }
  }

  /** What a project is like on the hub, and whether something of it cannot be taken yet. */
  async #takeAll(projectId: string, { connection, reader, signal, streams }: ReadingAgain) {
    const forms = new Set<Form>()
    let isUndecided = false
    for (const stream of streams) {
      const { last } = await connection.stateOf(stream)
      const range = { after: 0, upTo: last, subject: subjectsIn(this.#deps.org, projectId)[stream] }
      for await (const messages of connection.read(stream, range, signal)) {
        const outcomes = await reader.take(stream, messages)
        for (const [{ text }, outcome] of outcomes)
          if (outcome.status !== 'refused') forms.add(formOfText(idIn(text) ?? '', text))
          else if (outcome.isRetryable) isUndecided = true
      }
    }
    return { forms, isUndecided }
  }

  #missingFrom(
    forms: ReadonlySet<Form>,
    { projectId, ours }: { projectId: string; ours: readonly Form[] },
  ): Statement[] {
    const { view, scope } = this.#deps
    const found = view.projects.get(projectId)
    if (!travels(found, scope)) return []
    return ours.flatMap((form) => (forms.has(form) ? [] : (found?.said.get(idOfForm(form)) ?? [])))
  }

  /** Returns how often that was doubled. */
  #trySeldom(projectId: string): number {
    const { timers, rules } = this.#deps
    const doublings = Math.min((this.#tries.get(projectId)?.doublings ?? -1) + 1, MOST_DOUBLINGS)
    const next = timers.millis() + rules.hub.quietMillis * 2 ** doublings
    this.#tries.set(projectId, { doublings, next })
    return doublings
  }
}
