import { type Checkpoint, upTo, withCheckpoint } from '../../domain/checkpoint.ts'
import type { Self } from '../../domain/env.ts'
import { maySee } from '../../domain/lookup.ts'
import type { LinkState, Peer } from '../../domain/model.ts'
import { savingLink } from '../../domain/peers.ts'
import type { View } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { parseStamp, secondsBetween } from '../../protocol/stamp.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'
import type { Clock, SequencedChange, Store, Timers } from '../ports.ts'
import { type Conversation, callText, type Outcome, refusalIn } from './conversation.ts'
import type { Exchange, ExchangeReport } from './exchange.ts'
import type { HandoverTexts } from './handover-texts.ts'
import type { Heard } from './heard.ts'
import { Outgoing } from './outgoing.ts'
import type { Repair } from './repair.ts'
import type { ReplicationRules } from './rules.ts'
import { SaveSoon } from './save-soon.ts'
import { NEWLY_VISIBLE, SetAside, TOO_LONG } from './set-aside.ts'

export interface CacpdExchangeDeps {
  self: Self
  peer: Peer
  conversation: Conversation
  log: ChangeLog
  view: View
  store: Pick<Store, 'commit'>
  texts: HandoverTexts
  heard: Heard
  repair: Repair
  clock: Clock
  timers: Timers
  rules: ReplicationRules
  life: string
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
  readonly #aside: SetAside
  readonly #memory: SaveSoon
  #acked: number
  #checkpoints: readonly Checkpoint[]
  /** The last seq that the peer noted. Behind the cursor when it may not see what came since. */
  #marked = 0
  /** Undefined when it does not say; then nothing that came from it is held back. */
  #theirLife: string | undefined
  #clockSkewSeconds: number | null = null
  #isEnded = false
  #stopListening: () => void = () => {}

  constructor(deps: CacpdExchangeDeps) {
    this.#deps = deps
    const saved = deps.view.links.get(deps.peer.agent_id)
    this.#acked = saved?.acked_seq ?? 0
    this.#checkpoints = saved?.checkpoints ?? []
    const { log, clock, timers, rules, wake } = deps
    this.#memory = new SaveSoon({ timers, everyMillis: rules.saveEveryMillis, save: () => this.#save() })
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

  /** The peer may have been restored from a backup, or we: the smaller of both memories is right. */
  async begin(): Promise<void> {
    const { self, conversation, clock, life } = this.#deps
    const { agentId, endpoint, repo, storeId } = self
    await conversation.call('cacp/peer/announce', { agentId, endpoint, repoName: repo })
    if (!(await this.#isKnown())) await this.#register()
    const { received, now, life: theirLife } = await conversation.call('cacp/sync/hello', { storeId, life })
    if (typeof received !== 'number') throw new Fault('unavailable', 'The peer does not say what it has')
    if (received < this.#acked) await this.#goBackTo(received)
    this.#marked = this.#acked
    this.#theirLife = typeof theirLife === 'string' ? theirLife : undefined
    const theirs = typeof now === 'string' ? parseStamp(now) : undefined
    this.#clockSkewSeconds = theirs === undefined ? null : Math.round(secondsBetween(clock.now(), theirs))
  }

  /**
   * Remembered before anything is sent again: it will soon have noted more than this, also of what it refused, and
   * whoever then remembered the old cursor and not what was set aside would never send that.
   */
  async #goBackTo(seq: number): Promise<void> {
    this.#acked = seq
    this.#checkpoints = upTo(this.#checkpoints, seq)
    await this.#save()
  }

  /**
   * Whoever it does not know gets only what any client may send. One that it knows it is not told of again:
   * its operator may have found a better endpoint for us, and two daemons would wake each other without end.
   */
  async #isKnown(): Promise<boolean> {
    const { conversation, self } = this.#deps
    const { peers } = await conversation.call('cacp/peer/list', {})
    return Array.isArray(peers) && peers.some((one) => isJsonObject(one) && one['agentId'] === self.agentId)
  }

  /** One that does not want to know us may still take what we send. */
  async #register(): Promise<void> {
    const { conversation, self } = this.#deps
    const { agentId, endpoint, repo } = self
    await conversation.register({ agentId, endpoint, repoName: repo }).catch(() => {})
  }

  async push(): Promise<void> {
    let next: Prepared | undefined
    while (this.#aside.isDue || this.#acked < this.#deps.log.seq) {
      if (this.#aside.isDue) {
        await this.#hand(this.#aside.takeDue((change) => this.#isVisible(change)))
        continue
      }
      // One batch is under way at a time; meanwhile the next one is written.
      const batch: Prepared = next?.after === this.#acked ? next : this.#prepare(this.#acked)
      ;[, next] = await Promise.all([this.#pushBatch(batch), this.#prepareNext(batch)])
    }
  }

  async #prepareNext({ upTo }: Prepared): Promise<Prepared | undefined> {
    return upTo < this.#deps.log.seq ? this.#prepare(upTo) : undefined
  }

  async repair(): Promise<void> {
    const { log, repair, conversation, peer } = this.#deps
    await this.#untilItIsQuiet()
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
    this.#aside.end()
    await this.#memory.end()
  }

  report(): ExchangeReport {
    return {
      acked: this.#acked,
      behind: this.#deps.log.countAfter(this.#acked) + this.#aside.size,
      aside: this.#aside.list(),
      clockSkewSeconds: this.#clockSkewSeconds,
    }
  }

  #prepare(after: number): Prepared {
    const { log } = this.#deps
    const batch = new Outgoing(this.#deps, this.#told)
    let last = after
    for (const change of log.after(after)) {
      if (this.#isTheirs(change)) {
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
    const { self } = this.#deps
    this.#welcomeTo(batch)
    const mark = callText(
      'cacp/sync/mark',
      JSON.stringify({ storeId: self.storeId, after: this.#marked, seq: last, life: this.#theirLife }),
    )
    await this.#send(batch, batch.calls.length > 0 ? [mark] : [])
    if (batch.calls.length > 0) this.#marked = last
    this.#acked = last
    this.#checkpoints = withCheckpoint(this.#checkpoints, { seq: last, at: this.#deps.clock.now() })
    this.#memory.soon()
  }

  /** It sent this itself, and has not started anew since: the mark is refused if it has. */
  #isTheirs({ value }: SequencedChange): boolean {
    const life = this.#theirLife
    return life !== undefined && this.#deps.heard.isFrom({ agentId: this.#deps.peer.agent_id, life }, value)
  }

  /** A repo that is named in a project kept among its members may from now on see all of it, from the start. */
  #welcomeTo(batch: Outgoing): void {
    const { peer, view, log } = this.#deps
    for (const { change } of batch.calls) {
      if (change.kind !== 'repo' || change.value.name !== peer.repo_name) continue
      if (view.projects.get(change.project_id)?.project.visibility !== 'members') continue
      for (const part of log.after(0))
        if (part.project_id === change.project_id && part.seq <= this.#acked)
          this.#aside.put(part, NEWLY_VISIBLE)
    }
  }

  #isVisible({ project_id }: SequencedChange): boolean {
    const { view, peer } = this.#deps
    const found = view.projects.get(project_id)
    return found !== undefined && maySee(found, { kind: 'peer', repoName: peer.repo_name })
  }

  /** Hands entities over outside of the order of the cursor. */
  async #hand(changes: readonly SequencedChange[]): Promise<void> {
    let batch = new Outgoing(this.#deps, this.#told)
    for (const change of changes) {
      if (!batch.isFull && batch.add(change)) continue
      await this.#send(batch, [])
      batch = new Outgoing(this.#deps, this.#told)
      batch.add(change)
    }
    await this.#send(batch, [])
  }

  async #send({ calls, tooLong }: Outgoing, more: readonly string[]): Promise<void> {
    for (const change of tooLong) this.#aside.put(change, TOO_LONG)
    if (calls.length + more.length === 0) return
    const outcomes = await this.#deps.conversation.batch([...calls.map(({ text }) => text), ...more])
    const failed = outcomes.slice(calls.length).find((outcome) => outcome.error !== undefined)
    if (failed?.error !== undefined) throw new Fault('unavailable', failed.error.message)
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
    const value: LinkState = {
      agent_id: peer.agent_id,
      acked_seq: this.#acked,
      aside: this.#aside.list(),
      checkpoints: this.#checkpoints,
    }
    await store.commit((view) => ({ result: undefined, local: savingLink(view, value) }))
  }
}
