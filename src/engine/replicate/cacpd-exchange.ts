import type { LinkState } from '../../domain/model.ts'
import { savingLink } from '../../domain/peers.ts'
import type { View } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'
import type { SequencedChange, Store, Timers } from '../ports.ts'
import { callText, type Outcome, refusalIn } from './conversation.ts'
import { Cursor } from './cursor.ts'
import type { Exchange, ExchangeReport } from './exchange.ts'
import { Greeting, type GreetingDeps } from './greeting.ts'
import type { HandoverTexts } from './handover-texts.ts'
import type { Heard } from './heard.ts'
import { Introduction } from './introduction.ts'
import { Outgoing } from './outgoing.ts'
import type { Repair } from './repair.ts'
import type { ReplicationRules } from './rules.ts'
import { SaveSoon } from './save-soon.ts'
import { NEWLY_VISIBLE, SetAside, TOO_LONG } from './set-aside.ts'
import { projectShownTo } from './shown.ts'

export interface CacpdExchangeDeps extends GreetingDeps {
  log: ChangeLog
  view: View
  store: Pick<Store, 'commit'>
  texts: HandoverTexts
  heard: Heard
  repair: Repair
  timers: Timers
  rules: ReplicationRules
  /** Has push called soon. */
  wake(): void
}

/** Refusals that are about the peer's condition and not about the entity: the whole batch waits for better times. */
const PEER_IN_TROUBLE = new Set(['storage_full', 'outcome_unknown', 'unauthorized'])

/** All that changed after one seq and up to another, as far as the peer may see it and has not sent it itself. */
interface Prepared {
  readonly batch: Outgoing
  readonly after: number
  readonly upTo: number
}

/**
 * Another cacpd. Its cursor says up to which of our changes it has everything on disk. The cursor moves only
 * when it said so after its own sync; what it would not take is set aside and blocks nobody.
 */
export class CacpdExchange implements Exchange {
  readonly #deps: CacpdExchangeDeps
  readonly #told = new Set<string>()
  /** Projects kept among their members of which it was sent everything when it was named. */
  readonly #welcomed = new Set<string>()
  readonly #aside: SetAside
  readonly #memory: SaveSoon
  readonly #introduction: Introduction
  readonly #greeting: Greeting
  readonly #cursor: Cursor
  /** Undefined when it does not say; then nothing that came from it is held back. */
  #theirLife: string | undefined
  #isEnded = false
  #stopListening: () => void = () => {}

  constructor(deps: CacpdExchangeDeps) {
    this.#deps = deps
    const saved = deps.view.links.get(deps.peer.agent_id)
    this.#cursor = new Cursor(saved, deps.peer)
    const { log, clock, timers, rules, wake } = deps
    this.#memory = new SaveSoon({ timers, everyMillis: rules.saveEveryMillis, save: () => this.#save() })
    this.#greeting = new Greeting(deps)
    this.#introduction = new Introduction({
      self: deps.self,
      conversation: deps.conversation,
      told: saved?.told_endpoint,
      onTold: () => this.#memory.soon(),
    })
    this.#aside = new SetAside({
      saved: saved?.aside ?? [],
      log,
      clock,
      timers,
      againMillis: rules.asideEveryMillis,
      onChange: () => this.#memory.soon(),
      wake,
    })
  }

  async begin(): Promise<void> {
    await this.#introduction.make()
    const { received, count, life } = await this.#greeting.make()
    if (typeof received !== 'number') throw new Fault('unavailable', 'The peer does not say what it has')
    this.#theirLife = typeof life === 'string' ? life : undefined
    // That we go back is on disk before anything is sent again: it will soon have noted more, also of what it refused,
    // and whoever then remembered the old cursor and not what was set aside would never send that.
    if (this.#cursor.goOnFrom(received, typeof count === 'number' ? count : 0)) await this.#save()
  }

  async push(): Promise<void> {
    let next: Prepared | undefined
    while (this.#aside.isDue || this.#cursor.acked < this.#deps.log.seq) {
      if (this.#aside.isDue) {
        await this.#hand(this.#aside.takeDue((change) => this.#isVisible(change)))
        continue
      }
      // One batch is under way at a time; meanwhile the next one is written.
      const batch: Prepared = next?.after === this.#cursor.acked ? next : this.#prepare(this.#cursor.acked)
      ;[, next] = await Promise.all([this.#pushBatch(batch), this.#prepareNext(batch)])
    }
  }

  async #prepareNext({ upTo }: Prepared): Promise<Prepared | undefined> {
    return upTo < this.#deps.log.seq ? this.#prepare(upTo) : undefined
  }

  async repair(): Promise<void> {
    const { log, repair, conversation, peer } = this.#deps
    await this.#untilItIsQuiet()
    await this.#greeting.repeat()
    const before = this.#aside
      .list()
      .filter(({ reason }) => reason === TOO_LONG)
      .map(({ key }) => ({ key, change: log.get(key) }))
    const missing = new Set<string>()
    await repair.run(conversation, peer, (changes) => {
      for (const change of changes) missing.add(entityKey(change))
      return this.#hand(changes)
    })
    // The peer fetched it meanwhile.
    for (const { key, change } of before) if (!missing.has(key)) this.#aside.takeBack(key, change)
    this.#aside.tryAgain()
  }

  /** While the peer hands over changes of its own, comparing would only find what is on its way anyhow. */
  async #untilItIsQuiet(): Promise<void> {
    const { heard, peer, timers, rules } = this.#deps
    let known = -1
    for (let times = 0; times < rules.quietTimes && !this.#isEnded; times++) {
      const count = heard.countFrom(peer.agent_id)
      if (count === known) return
      known = count
      await new Promise<void>((resolve) => {
        const cancel = timers.after(rules.quietMillis, resolve)
        this.#stopListening = () => {
          cancel()
          resolve()
        }
      })
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true
    this.#stopListening()
    this.#deps.conversation.end()
    this.#greeting.end()
    this.#aside.end()
    await this.#memory.end()
  }

  report(): ExchangeReport {
    return {
      acked: this.#cursor.acked,
      behind: this.#deps.log.countAfter(this.#cursor.acked) + this.#aside.size,
      aside: this.#aside.list(),
      ...this.#greeting.report(),
    }
  }

  #prepare(after: number): Prepared {
    const { log } = this.#deps
    const batch = new Outgoing(this.#deps, this.#told)
    let last = after
    for (const change of log.after(after)) {
      if (this.#isTheirs(change) && !this.#isNamingIt(change)) {
        this.#aside.takeBack(entityKey(change), change)
        last = change.seq
        continue
      }
      if (batch.isFull || !batch.add(change)) return { batch, after, upTo: last }
      last = change.seq
    }
    return { batch, after, upTo: log.seq }
  }

  async #pushBatch({ batch, upTo: last }: Prepared): Promise<void> {
    this.#welcomeTo(batch)
    await this.#send(batch, last)
    this.#cursor.moveTo(last, { at: this.#deps.clock.now(), isMarked: batch.calls.length > 0 })
    this.#memory.soon()
  }

  /** It sent this itself, and has not started anew since: the mark is refused if it has. */
  #isTheirs({ value }: SequencedChange): boolean {
    const life = this.#theirLife
    return life !== undefined && this.#deps.heard.isFrom({ agentId: this.#deps.peer.agent_id, life }, value)
  }

  /** A repo that is named in a project kept among its members may from now on see all of it, from the start. */
  #welcomeTo(batch: Outgoing): void {
    for (const { change } of batch.calls) {
      if (!this.#isNamingIt(change)) continue
      this.#welcomed.add(change.project_id)
      for (const part of this.#deps.log.after(0)) {
        if (part.seq > this.#cursor.acked) break
        if (part.project_id === change.project_id) this.#aside.put(part, NEWLY_VISIBLE)
      }
    }
  }

  /** The first word in this exchange by which it may see a project. */
  #isNamingIt(change: SequencedChange): boolean {
    const { peer, view } = this.#deps
    if (change.kind !== 'repo' || change.value.name !== peer.repo_name) return false
    if (this.#welcomed.has(change.project_id)) return false
    return view.projects.get(change.project_id)?.project.visibility === 'members'
  }

  #isVisible({ project_id }: SequencedChange): boolean {
    return projectShownTo(this.#deps, project_id) !== undefined
  }

  /** Hands entities over outside of the order of the cursor. */
  async #hand(changes: readonly SequencedChange[]): Promise<void> {
    let batch = new Outgoing(this.#deps, this.#told)
    for (const change of changes) {
      if (!batch.isFull && batch.add(change)) continue
      await this.#send(batch, this.#cursor.marked)
      batch = new Outgoing(this.#deps, this.#told)
      batch.add(change)
    }
    await this.#send(batch, this.#cursor.marked)
  }

  /** With a mark behind it, so that a peer which loses what it took shows that it did. */
  async #send({ calls, tooLong }: Outgoing, upTo: number): Promise<void> {
    const { conversation, self } = this.#deps
    for (const change of tooLong) this.#aside.put(change, TOO_LONG)
    if (calls.length === 0) return
    const mark = { storeId: self.storeId, after: this.#cursor.marked, seq: upTo, life: this.#theirLife }
    // What it has already by all that we know, such as a project before its parts, is none that it could lose by this.
    const news = calls
      .map(({ change }) => change)
      .filter((change) => change.seq > this.#cursor.acked || this.#aside.has(change))
    const isInOrder = this.#cursor.isInOrder(news, upTo)
    const outcomes = await conversation.batch([
      ...calls.map(({ text }) => text),
      callText('cacp/sync/mark', JSON.stringify(mark)),
    ])
    const marked = outcomes.at(-1)
    if (marked?.error !== undefined) throw new Fault('unavailable', marked.error.message)
    const count = marked?.result['count']
    if (typeof count === 'number') this.#cursor.heardOf(count, { isInOrder })
    for (const [index, { change }] of calls.entries()) this.#settle(change, outcomes[index])
  }

  #settle(change: SequencedChange, outcome: Outcome | undefined): void {
    const refusal = refusalIn(outcome)
    if (refusal === undefined) {
      if (change.kind === 'project') this.#told.add(change.project_id)
      this.#aside.takeBack(entityKey(change), change)
      return
    }
    const { kind, message } = refusal
    if (PEER_IN_TROUBLE.has(kind)) throw new Fault('unavailable', message)
    if (kind === 'unknown_project') this.#told.delete(change.project_id)
    this.#aside.put(change, message)
  }

  async #save(): Promise<void> {
    const { peer, store } = this.#deps
    const { told } = this.#introduction
    const value: LinkState = {
      agent_id: peer.agent_id,
      ...this.#cursor.state(),
      aside: this.#aside.list(),
      repo_name: peer.repo_name,
      ...(told === undefined ? {} : { told_endpoint: told }),
    }
    await store.commit((view) => ({ result: undefined, local: savingLink(view, value) }))
  }
}
