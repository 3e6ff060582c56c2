import type { Caller } from '../../../../src/domain/env.ts'
import { type Statement, textOf } from '../../../../src/domain/statements/statement.ts'
import { Digests } from '../../../../src/engine/replicate/cacpd/digests.ts'
import { StatementLog } from '../../../../src/engine/replicate/cacpd/statement-log.ts'
import { createHubLane } from '../../../../src/engine/replicate/hub/lane.ts'
import { Heard } from '../../../../src/engine/replicate/intake/heard.ts'
import { createIntake } from '../../../../src/engine/replicate/intake/intake.ts'
import { Refusals } from '../../../../src/engine/replicate/link/refusals.ts'
import { REPLICATION_RULES } from '../../../../src/engine/replicate/rules.ts'
import { openStore } from '../../../../src/io/store/open-store.ts'
import { addMicros } from '../../../../src/protocol/stamp.ts'
import { at } from '../../../domain/statements/at.ts'
import type { Author } from '../../../domain/statements/author.ts'
import { SimulatedDisk, seededRandom } from '../../../support/simulated/disk.ts'
import { SimulatedHub } from '../../../support/simulated/hub.ts'
import { VirtualTime } from '../../../support/simulated/virtual-time.ts'
import { verifyAuthor } from '../intake-desk.ts'

/** Who brings statements over a link. */
const LINK: Caller = { kind: 'peer', agentId: 'aid://example.com/peer@1.0.0', repoName: 'peer-app' }

/** A time, a hub, and daemons that only have that in common. */
export function openHubWorld() {
  const time = new VirtualTime()
  const random = seededRandom(7)
  const now = () => addMicros(at(1000), time.now * 1000)
  const hub = new SimulatedHub({ timers: time, now, random })

  /** Lets as much time pass as it takes. */
  async function within<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    while (!isDone) await time.advance(1)
    return done
  }

  /** A daemon with the key of this author; `disk` is what an earlier life of it left. */
  async function daemon(
    author: Author,
    { disk = new SimulatedDisk(), clockSeconds = 0, carriesMembers = false } = {},
  ) {
    let ids = 0
    let isAlive = true
    const clock = {
      now: () => addMicros(now(), clockSeconds * 1_000_000),
      newId: () => `id-${++ids}`,
      newNonce: () => 'A'.repeat(22),
    }
    const timers = {
      millis: () => time.millis(),
      after: (millis: number, task: () => void) => time.after(millis, () => isAlive && task()),
    }
    const sign = () => Promise.reject(new Error('nothing is said here'))
    const { store } = await within(openStore({ directory: '/desk', disk, clock, sign, timers }))
    const { view } = store
    const self = { signer: { keyId: author.key } } as never
    const refusals = new Refusals(clock)
    const pause = async () => {}
    const statements = new StatementLog(store.statements(), view)
    const intake = createIntake({
      self,
      store,
      clock,
      verifyText: verifyAuthor,
      heard: new Heard(),
      refusals,
      noteTaken: () => {},
      pause,
    })
    const lane = createHubLane({
      self,
      store,
      view,
      statements,
      digests: new Digests(statements, view, pause),
      intake,
      refusals,
      clock,
      timers,
      random,
      rules: REPLICATION_RULES,
      hub: hub.for(author.key, { carriesMembers }),
    })
    store.onDurable((more) => {
      statements.record(more)
      lane.wake(more)
    })
    return {
      store,
      lane,
      disk,
      /** Says it itself, or hears it over a link. */
      async take(...all: readonly Statement[]): Promise<void> {
        await within(intake.take(all.map(textOf), { caller: LINK }))
      },
      ids: (): string[] => Array.from(store.statements(), ({ statement }) => statement.id).sort(),
      /** The process is gone, and with the power what was not synced. */
      crash(): SimulatedDisk {
        isAlive = false
        hub.cut(author.key)
        disk.crash()
        return disk
      },
      async [Symbol.asyncDispose]() {
        await lane[Symbol.asyncDispose]()
        await store[Symbol.asyncDispose]()
      },
    }
  }

  return { time, hub, daemon }
}

/** What the hub holds of statements, by id and in its order. */
export const idsOn = (hub: SimulatedHub): string[] =>
  [...hub.texts('facts'), ...hub.texts('registers')].flatMap((text) => {
    const { id } = JSON.parse(text) as { id?: string }
    return id === undefined ? [] : [id]
  })
