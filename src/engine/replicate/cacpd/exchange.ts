import { rememberingGiven } from '../../../domain/delivery/may-have.ts'
import { asideOf, refusalId } from '../../../domain/delivery/refused.ts'
import { maySendStatement, redactionWith } from '../../../domain/delivery/visibility.ts'
import { entityOf } from '../../../domain/entity.ts'
import { maySee, presentViewerOf } from '../../../domain/lookup.ts'
import type { LinkState } from '../../../domain/model.ts'
import { linkStateChange } from '../../../domain/peers/peers.ts'
import { hasLostContent, type Statement, textOf } from '../../../domain/statements/statement.ts'
import { Fault } from '../../../protocol/fault.ts'
import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import { EARLIEST } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'
import { sleep } from '../../timing/wait-until.ts'
import { batchesOf } from '../link/batches.ts'
import { createCursor } from '../link/cursor.ts'
import type { Exchange, ExchangeReport } from '../link/exchange.ts'
import { Handed } from '../link/handed.ts'
import { createMayHave } from '../link/may-have.ts'
import { Refusals } from '../link/refusals.ts'
import { createSaveSoon } from '../link/save-soon.ts'
import { callText } from '../peer/conversation.ts'
import { createGreeting, type GreetingDeps } from '../peer/greeting.ts'
import { introduce } from '../peer/introduction.ts'
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
export function createCacpdExchange(deps: CacpdExchangeDeps): Exchange {
  const { self, peer, view, store, statements: log, texts, heard, conversation, clock, timers, rules } = deps
  const { agent_id: agentId } = peer
  const saved = view.links.get(agentId)
  const cursor = createCursor(saved)
  const memory = createSaveSoon({ timers, everyMillis: rules.saveEveryMillis, save })
  const greeting = createGreeting(deps)
  const mayHave = createMayHave({
    ...deps,
    given: {
      until: ({ links }) => links.get(agentId)?.took_until ?? EARLIEST,
      remembering: (now, until) => rememberingGiven(now, agentId, until),
    },
  })
  const handed = new Handed()
  /** Where the peer was told that we are. */
  let told = saved?.told_endpoint
  let refusals = new Refusals(clock)
  if (saved?.refused !== undefined) refusals.restore(agentId, saved.refused)
  /** Of the comparison that is under way, which hands over again all that the peer lacks. */
  let refusedNow: Refusals | undefined
  /** Projects of which something was passed by, because it may not see them. */
  const withheld = new Set<string>()
  /** Undefined when it does not say; then nothing that came from it is held back. */
  let theirBootId: string | undefined
  const ended = new AbortController()

  return { begin, push, repair, end, report }

  async function begin(): Promise<void> {
    const known = await introduce(conversation, self, told)
    if (known !== told) memory.soon()
    told = known
    const { storeId, bootId } = await greeting.make()
    if (typeof storeId !== 'string')
      throw new Fault('unavailable', 'The peer does not say which store it has')
    theirBootId = typeof bootId === 'string' ? bootId : undefined
    // Another store has refused nothing.
    if (cursor.goOnWith(storeId, log.seq)) refusals.forget(agentId)
  }

  async function push(): Promise<void> {
    let next: Batch | undefined
    while (cursor.acked < log.seq) {
      // One batch is under way at a time; meanwhile the next one is written.
      const batch: Batch = next?.after === cursor.acked ? next : await prepare(cursor.acked)
      const { statements, upTo } = batch
      ;[, next] = await Promise.all([send(statements), upTo < log.seq ? prepare(upTo) : undefined])
      cursor.moveTo(upTo, clock.now())
      memory.soon()
    }
  }

  async function repair(): Promise<void> {
    await untilItIsQuiet()
    await greeting.repeat()
    const refused = new Refusals(clock)
    refusedNow = refused
    handed.begin()
    const giving = (lacking: readonly Statement[]) => handWorthy(lacking, refused)
    await deps.repair.run({ conversation, peer, bootId: theirBootId, hand: giving })
    if (!refusals.isEmpty(agentId)) memory.soon()
    // What it refused before, and not now, it has by now, or may not see any more.
    refusals = refused
    refusedNow = undefined
  }

  async function end(): Promise<void> {
    ended.abort()
    conversation.end()
    greeting.end()
    await memory.end()
  }

  function report(): ExchangeReport {
    const refused = refusals.of(agentId)
    return {
      acked: cursor.acked,
      behind: log.countAfter(cursor.acked) + refused.count,
      aside: asideOf(refused),
      ...greeting.report(),
    }
  }

  /** While the peer hands over statements of its own, comparing would only find what is on its way anyhow. */
  async function untilItIsQuiet(): Promise<void> {
    let known = -1
    for (let times = 0; times < rules.quietTimes && !ended.signal.aborted; times++) {
      const count = heard.countFrom(agentId)
      if (count === known) return
      known = count
      await sleep(timers, rules.quietMillis, ended.signal)
    }
  }

  /**
   * The view is ahead of the disk: who may see a project by what is only in memory perhaps never may, and a redaction
   * that is only in memory is perhaps never made.
   */
  async function prepare(after: number): Promise<Batch> {
    const batch = batchAfter(after)
    const dependsOnView = (one: Statement) =>
      hasLostContent(one) || view.projects.get(one.project_id)?.project.visibility === 'members'
    return batch.statements.some(dependsOnView) ? store.commit(() => ({ result: batchAfter(after) })) : batch
  }

  function batchAfter(after: number): Batch {
    const statements = new Set<Statement>()
    let chars = 0
    let upTo = after
    for (const { seq, statement } of log.after(after)) {
      if (statements.size >= rules.batchItems || chars >= rules.batchBytes)
        return { statements: [...statements], after, upTo }
      upTo = seq
      if (isTheirs(statement) || !isShown(statement)) continue
      statements.add(statement)
      chars += texts.of(statement).length
      for (const one of redactionWith(statement, view)) {
        statements.add(one)
        // It may lack its signature yet, and `texts` would keep it so.
        chars += textOf(one).length
      }
    }
    return { statements: [...statements], after, upTo: log.seq }
  }

  /** It sent this itself, and has not started anew since. */
  function isTheirs(statement: Statement): boolean {
    return theirBootId !== undefined && heard.isFrom({ agentId, bootId: theirBootId }, statement)
  }

  /** Of a project that it may see from now on it gets everything, which comparing finds. */
  function isShown(statement: Statement): boolean {
    const { project_id } = statement
    const found = view.projects.get(project_id)
    const viewer = presentViewerOf(peer, view)
    if (found === undefined || !maySee(found, viewer)) {
      withheld.add(project_id)
      return found !== undefined && maySendStatement(found, viewer, statement)
    }
    if (withheld.delete(project_id)) deps.repairSoon()
    return true
  }

  /** Of what is not worth handing over, it still refuses what it refused before. */
  async function handWorthy(lacking: readonly Statement[], refused: Refusals): Promise<void> {
    const statements = handed.worthHanding(lacking)
    const worthy = new Set(statements)
    const unworthy = refusals.isEmpty(agentId) ? [] : lacking.filter((one) => !worthy.has(one))
    for (const one of unworthy) refused.takeOver(agentId, refusalIdOf(one), refusals)
    await hand(statements)
  }

  /** Hands statements over outside of the order of the cursor. */
  async function hand(statements: readonly Statement[]): Promise<void> {
    for (const batch of batchesOf(statements, (one) => texts.of(one).length, rules))
      for (const [one, outcome] of await send(batch)) handed.note(one, outcome)
  }

  /** Returns what became of each that is still here. */
  async function send(prepared: readonly Statement[]): Promise<ReadonlyMap<Statement, Json>> {
    const statements = await mayHave.remember(prepared, greeting.theirNow())
    if (statements.length === 0) return new Map()
    const params = `{"bootId":${JSON.stringify(deps.bootId)},"statements":[${statements.map((one) => texts.of(one)).join(',')}]}`
    const [answer] = await conversation.batch([callText('cacp/sync/statements', params)])
    const outcomes = answer?.result?.['outcomes']
    if (!Array.isArray(outcomes) || outcomes.length !== statements.length)
      throw new Fault(
        'unavailable',
        answer?.error?.message ?? 'The peer does not say what became of statements',
      )
    const became = new Map(statements.map((one, index) => [one, outcomes[index] as Json]))
    for (const [statement, outcome] of became) note(statement, outcome)
    return became
  }

  function note(statement: Statement, outcome: Json | undefined): void {
    const status = isJsonObject(outcome) ? outcome['status'] : undefined
    if ((status === 'taken' || status === 'known') && mayHave.noteTaken(statement)) memory.soon()
    const isRefused = isJsonObject(outcome) && status === 'refused'
    // As almost always: then there is no need to know under which name it would be remembered.
    if (!isRefused && refusals.isEmpty(agentId) && refusedNow?.isEmpty(agentId) !== false) return
    const name = refusalIdOf(statement)
    const reason = isRefused ? `${statement.kind}: ${String(outcome['reason'])}` : undefined
    if (isRefused) memory.soon()
    for (const noted of [refusals, refusedNow])
      if (reason === undefined) noted?.takeBack(agentId, name)
      else noted?.note(agentId, { id: name, reason })
  }

  function refusalIdOf(statement: Statement): string {
    const packets = view.projects.get(statement.project_id)?.packets
    const entity = entityOf(statement, (id) => packets?.get(id) !== undefined)
    return refusalId(entity, statement.id)
  }

  async function save(): Promise<void> {
    const refused = refusals.of(agentId)
    const value: LinkState = {
      agent_id: agentId,
      ...cursor.state(),
      ...(refused.count === 0 ? {} : { refused }),
      ...(told === undefined ? {} : { told_endpoint: told }),
    }
    await store.commit((now) => ({
      result: undefined,
      local: linkStateChange(now, { ...value, ...mayHave.state(now) }),
    }))
  }
}
