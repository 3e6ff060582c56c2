import type { Peer } from '../../src/domain/model.ts'
import { type Statement, textOf } from '../../src/domain/statements/statement.ts'
import { Digests } from '../../src/engine/replicate/cacpd/digests.ts'
import { createRepair } from '../../src/engine/replicate/cacpd/repair.ts'
import { StatementLog } from '../../src/engine/replicate/cacpd/statement-log.ts'
import { Handed } from '../../src/engine/replicate/link/handed.ts'
import type { Conversation } from '../../src/engine/replicate/peer/conversation.ts'
import { REPLICATION_RULES } from '../../src/engine/replicate/rules.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import { at } from '../domain/statements/at.ts'
import { intakeDesk, PEER } from '../engine/replicate/intake-desk.ts'

/** Approved by hand: nobody knows with which key it signs. */
const APPROVED: Peer = {
  agent_id: PEER.agentId,
  endpoint: 'http://peer.test',
  repo_name: 'peer-app',
  trust: 'approved',
  registered_at: at(0),
  last_seen: at(0),
}

export interface FakePeer {
  /** What it says that it has. */
  shows: Statement[]
  /** Instead of what it was asked for. */
  gives?: (ids: readonly string[]) => readonly string[]
  /** What it says of each statement that it is handed. */
  outcomeOf: (statement: Statement) => JsonObject
}

/** A daemon that compares itself with a peer that answers as it likes. */
export async function comparing(peer: FakePeer) {
  const desk = await intakeDesk()
  const { store, intake } = desk
  const log = new StatementLog(store.statements(), store.view)
  store.onDurable((statements) => log.record(statements))
  const pause = async () => {}
  const digests = new Digests(log, store.view, pause)
  const repair = createRepair({
    digests,
    view: store.view,
    intake,
    clock: { now: () => at(1000) },
    rules: REPLICATION_RULES,
    pause,
  })
  const handed = new Handed()
  const asked: string[] = []
  const conversation = { call: async (method: string, params: JsonObject) => answer(method, params) }
  const handedOver: string[][] = []

  function answer(method: string, { projectId, ids, count }: JsonObject): JsonObject {
    asked.push(method)
    const shown = peer.shows.filter(({ project_id }) => project_id === projectId)
    switch (method) {
      case 'cacp/sync/digest':
        return {
          projects: [...new Set(peer.shows.map(({ project_id }) => project_id))].map((one) => ({
            projectId: one,
            digest: 'another one',
            count: 1,
          })),
        }
      case 'cacp/sync/buckets':
        return { digests: Array.from({ length: Number(count) }, () => 'another one') }
      case 'cacp/sync/keys':
        return { ids: shown.map(({ id }) => id) }
      default: {
        const wanted = new Set(ids as string[])
        const gives = peer.gives ?? (() => shown.filter(({ id }) => wanted.has(id)).map(textOf))
        return { statements: [...gives([...wanted])] }
      }
    }
  }

  return {
    ...desk,
    asked,
    /** By comparison, the ids of what was handed over. */
    handedOver,
    async compare(): Promise<void> {
      const now: string[] = []
      handed.begin()
      const hand = async (statements: readonly Statement[]) => {
        for (const one of handed.worthHanding(statements)) {
          now.push(one.id)
          handed.note(one, peer.outcomeOf(one))
        }
      }
      await repair.run({
        conversation: conversation as unknown as Conversation,
        peer: APPROVED,
        bootId: 'first',
        hand,
      })
      handedOver.push(now)
    },
    kept: (projectId: string): Statement[] => [...(store.view.projects.get(projectId)?.said ?? [])],
  }
}
