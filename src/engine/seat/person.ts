import type { PersonSigns } from '../../domain/person/tasks.ts'
import { todoOf, trustIn } from '../../domain/person/todo.ts'
import type { Runs } from '../../methods/runs/service.ts'
import type { Inbox } from '../../methods/seat/service.ts'
import type { Peers, PersonDesk } from '../../methods/services.ts'
import { addMicros } from '../../protocol/stamp.ts'
import type { Parts } from '../parts.ts'

export interface PersonDeskDeps extends Pick<Parts, 'store'> {
  readonly inbox: Pick<Inbox, 'list'>
  readonly peers: Pick<Peers, 'list' | 'warnings'>
  readonly runs: Pick<Runs, 'obstacles'>
  /** How old an item of the agent may be before it is overdue. */
  readonly escalateMinutes: number
}

/** Most items and most waits that are looked at: the oldest, so that all that are overdue come first. */
const MOST_EXAMINED = 200

const MINUTE_MICROS = 60 * 1_000_000

/** Puts together what a person has to know of the agent's inbox, of the peers and of this daemon itself. */
export function createPersonDesk(deps: PersonDeskDeps): PersonDesk {
  const { store, inbox, peers, runs, escalateMinutes } = deps
  return {
    async todo({ projectId, limit }, env) {
      const query = { projectId, limit: MOST_EXAMINED, includeAcked: false }
      const page = await inbox.list(query, env)
      const signs: PersonSigns = {
        items: page.items,
        peers: peers.list(),
        warnings: peers.warnings(),
        obstacles: await runs.obstacles(),
        store: store.health(),
        horizon: addMicros(env.now, -escalateMinutes * MINUTE_MICROS),
        trustOf: trustIn(store.view, env),
      }
      return todoOf(signs, page, { view: store.view, env, limit, examined: MOST_EXAMINED })
    },
  }
}
