import { asideOf, refusalId } from '../../../domain/delivery/refused.ts'
import { maySendStatement } from '../../../domain/delivery/visibility.ts'
import { entityOf } from '../../../domain/entity.ts'
import { maySee, presentViewerOf } from '../../../domain/lookup.ts'
import type { LinkState } from '../../../domain/model.ts'
import { linkStateChange } from '../../../domain/peers/peers.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import { Fault } from '../../../protocol/fault.ts'
import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import type { Parts } from '../../parts.ts'
import { Cursor } from '../link/cursor.ts'
import type { Exchange, ExchangeReport } from '../link/exchange.ts'
import { Handed } from '../link/handed.ts'
import { MayHave } from '../link/may-have.ts'
import { Refusals } from '../link/refusals.ts'
import { SaveSoon } from '../link/save-soon.ts'
import { callText } from '../peer/conversation.ts'
import { Greeting, type GreetingDeps } from '../peer/greeting.ts'
import { Introduction } from '../peer/introduction.ts'
import type { Repair } from './repair.ts'
import type { StatementTexts } from './statement-texts.ts'

export interface CacpdExchangeDeps
  extends GreetingDeps,
    Pick<Parts, 'statements' | 'view' | 'store' | 'heard' | 'timers' | 'rules'> {
  texts: StatementTexts
  repair: Repair
  /** Has states compared soon. */
  repairSoon(): void
}

/** What came after one seq and up to another, as far as the peer may see it and has not sent it itself. */
interface Batch {
  readonly statements: readonly Statement[]
  readonly after: number
  readonly upTo: number
}

/**
 * Another cacpd. Its cursor says up to which of our statements it has everything on disk, and moves only when it said so
 * after its own sync. Whatever a cursor misses is found by comparing, with which every exchange begins.
 */
export class CacpdExchange implements Exchange {
  readonly #deps: CacpdExchangeDeps
  readonly #memory: SaveSoon
  readonly #introduction: Introduction
  readonly #greeting: Greeting
  readonly #cursor: Cursor
  #refusals: Refusals
  /** Of the comparison that is under way, which hands over again all that the peer lacks. */
  #refusedNow: Refusals | undefined
  /** Projects of which something was passed by, because it may not see them. */
  readonly #withheld = new Set<string>()
  /** Undefined when it does not say; then nothing that came from it is held back. */
  #theirBootId: string | undefined
  readonly #handed = new Handed()
  readonly #mayHave: MayHave
  #isEnded = false
  #stopListening: () => void = () => {}

  constructor(deps: CacpdExchangeDeps) {
    this.#deps = deps
    const saved = deps.view.links.get(deps.peer.agent_id)
    this.#cursor = new Cursor(saved)
    this.#refusals = new Refusals(deps.clock)
    this.#mayHave = new MayHave(deps)
    if (saved?.refused !== undefined) this.#refusals.restore(deps.peer.agent_id, saved.refused)
    const { timers, rules } = deps
    this.#memory = new SaveSoon({ timers, everyMillis: rules.saveEveryMillis, save: () => this.#save() })
    this.#greeting = new Greeting(deps)
    this.#introduction = new Introduction({
      self: deps.self,
      conversation: deps.conversation,
      told: saved?.told_endpoint,
      onTold: () => this.#memory.soon(),
    })
  }

  async begin(): Promise<void> {
    await this.#introduction.make()
    const { storeId, bootId } = await this.#greeting.make()
    if (typeof storeId !== 'string')
      throw new Fault('unavailable', 'The peer does not say which store it has')
    this.#theirBootId = typeof bootId === 'string' ? bootId : undefined
    const { peer, statements } = this.#deps
    // Another store has refused nothing.
    if (this.#cursor.goOnWith(storeId, statements.seq)) this.#refusals.forget(peer.agent_id)
  }

  async push(): Promise<void> {
    let next: Batch | undefined
    while (this.#cursor.acked < this.#deps.statements.seq) {
      // One batch is under way at a time; meanwhile the next one is written.
      const batch: Batch = next?.after === this.#cursor.acked ? next : await this.#prepare(this.#cursor.acked)
      ;[, next] = await Promise.all([this.#send(batch.statements), this.#prepareNext(batch)])
      this.#cursor.moveTo(batch.upTo, this.#deps.clock.now())
      this.#memory.soon()
    }
  }

  async repair(): Promise<void> {
    const { repair, conversation, peer } = this.#deps
    await this.#untilItIsQuiet()
    await this.#greeting.repeat()
    const refusedNow = new Refusals(this.#deps.clock)
    this.#refusedNow = refusedNow
    this.#handed.begin()
    const hand = (lacking: readonly Statement[]) => this.#handWorthy(lacking, refusedNow)
    await repair.run({ conversation, peer, bootId: this.#theirBootId, hand, tell: hand })
    if (!this.#refusals.isEmpty(peer.agent_id)) this.#memory.soon()
    // What it refused before, and not now, it has by now, or may not see any more.
    this.#refusals = refusedNow
    this.#refusedNow = undefined
  }

  async end(): Promise<void> {
    this.#isEnded = true
    this.#stopListening()
    this.#deps.conversation.end()
    this.#greeting.end()
    await this.#memory.end()
  }

  report(): ExchangeReport {
    const refused = this.#refusals.of(this.#deps.peer.agent_id)
    return {
      acked: this.#cursor.acked,
      behind: this.#deps.statements.countAfter(this.#cursor.acked) + refused.count,
      aside: asideOf(refused),
      ...this.#greeting.report(),
    }
  }

  /** While the peer hands over statements of its own, comparing would only find what is on its way anyhow. */
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

  async #prepareNext({ upTo }: Batch): Promise<Batch | undefined> {
    return upTo < this.#deps.statements.seq ? this.#prepare(upTo) : undefined
  }

  /** The view is ahead of the disk: who may see a project by what is only in memory perhaps never may. */
  async #prepare(after: number): Promise<Batch> {
    const { view, store } = this.#deps
    const batch = this.#batchAfter(after)
    const isKept = ({ project_id }: Statement) =>
      view.projects.get(project_id)?.project.visibility === 'members'
    return batch.statements.some(isKept) ? store.commit(() => ({ result: this.#batchAfter(after) })) : batch
  }

  #batchAfter(after: number): Batch {
    const { statements: log, rules } = this.#deps
    const statements: Statement[] = []
    let chars = 0
    let upTo = after
    for (const { seq, statement } of log.after(after)) {
      if (statements.length >= rules.batchItems || chars >= rules.batchBytes)
        return { statements, after, upTo }
      upTo = seq
      if (this.#isTheirs(statement) || !this.#isShown(statement)) continue
      statements.push(statement)
      chars += this.#deps.texts.of(statement).length
    }
    return { statements, after, upTo: log.seq }
  }

  /** It sent this itself, and has not started anew since. */
  #isTheirs(statement: Statement): boolean {
    const bootId = this.#theirBootId
    return (
      bootId !== undefined &&
      this.#deps.heard.isFrom({ agentId: this.#deps.peer.agent_id, bootId }, statement)
    )
  }

  /** Of a project that it may see from now on it gets everything, which comparing finds. */
  #isShown(statement: Statement): boolean {
    const { project_id } = statement
    const { view, peer } = this.#deps
    const found = view.projects.get(project_id)
    const viewer = presentViewerOf(peer, view)
    if (found === undefined || !maySee(found, viewer)) {
      this.#withheld.add(project_id)
      return found !== undefined && maySendStatement(found, viewer, statement)
    }
    if (this.#withheld.delete(project_id)) this.#deps.repairSoon()
    return true
  }

  /** Of what is not worth handing over, it still refuses what it refused before. */
  async #handWorthy(lacking: readonly Statement[], refusedNow: Refusals): Promise<void> {
    const { agent_id: agentId } = this.#deps.peer
    const statements = this.#handed.worthHanding(lacking)
    const worthy = new Set(statements)
    const unworthy = this.#refusals.isEmpty(agentId) ? [] : lacking.filter((one) => !worthy.has(one))
    for (const one of unworthy) refusedNow.takeOver(agentId, this.#refusalIdOf(one), this.#refusals)
    await this.#hand(statements)
  }

  /** Hands statements over outside of the order of the cursor. */
  async #hand(statements: readonly Statement[]): Promise<void> {
    const { texts, rules } = this.#deps
    let batch: Statement[] = []
    let chars = 0
    const send = async () => {
      for (const [one, outcome] of await this.#send(batch)) this.#handed.note(one, outcome)
      batch = []
      chars = 0
    }
    for (const one of statements) {
      if (batch.length >= rules.batchItems || chars >= rules.batchBytes) await send()
      batch.push(one)
      chars += texts.of(one).length
    }
    await send()
  }

  /** Returns what became of each that is still here. */
  async #send(prepared: readonly Statement[]): Promise<ReadonlyMap<Statement, Json>> {
    const statements = await this.#mayHave.remember(prepared, this.#greeting.theirNow())
    if (statements.length === 0) return new Map()
    const { conversation, bootId, texts } = this.#deps
    const params = `{"bootId":${JSON.stringify(bootId)},"statements":[${statements.map((one) => texts.of(one)).join(',')}]}`
    const [answer] = await conversation.batch([callText('cacp/sync/statements', params)])
    const outcomes = answer?.result?.['outcomes']
    if (!Array.isArray(outcomes) || outcomes.length !== statements.length)
      throw new Fault(
        'unavailable',
        answer?.error?.message ?? 'The peer does not say what became of statements',
      )
    const became = new Map(statements.map((one, index) => [one, outcomes[index] as Json]))
    for (const [statement, outcome] of became) this.#note(statement, outcome)
    return became
  }

  #note(statement: Statement, outcome: Json | undefined): void {
    const { peer } = this.#deps
    const status = isJsonObject(outcome) ? outcome['status'] : undefined
    if ((status === 'taken' || status === 'known') && this.#mayHave.noteTaken(statement)) this.#memory.soon()
    const isRefused = isJsonObject(outcome) && status === 'refused'
    // As almost always: then there is no need to know under which name it would be remembered.
    if (
      !isRefused &&
      this.#refusals.isEmpty(peer.agent_id) &&
      this.#refusedNow?.isEmpty(peer.agent_id) !== false
    )
      return
    const name = this.#refusalIdOf(statement)
    const reason = isRefused ? `${statement.kind}: ${String(outcome['reason'])}` : undefined
    if (isRefused) this.#memory.soon()
    for (const refusals of [this.#refusals, this.#refusedNow])
      if (reason === undefined) refusals?.takeBack(peer.agent_id, name)
      else refusals?.note(peer.agent_id, { id: name, reason })
  }

  #refusalIdOf(statement: Statement): string {
    const packets = this.#deps.view.projects.get(statement.project_id)?.packets
    const entity = entityOf(statement, (id) => packets?.get(id) !== undefined)
    return refusalId(entity, statement.id)
  }

  async #save(): Promise<void> {
    const { peer, store } = this.#deps
    const { told } = this.#introduction
    const refused = this.#refusals.of(peer.agent_id)
    const value: LinkState = {
      agent_id: peer.agent_id,
      ...this.#cursor.state(),
      ...(refused.count === 0 ? {} : { refused }),
      ...(told === undefined ? {} : { told_endpoint: told }),
    }
    await store.commit((view) => ({
      result: undefined,
      local: linkStateChange(view, { ...value, ...this.#mayHave.state(view) }),
    }))
  }
}
