import { defined } from '../../protocol/collections/defined.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { type Deliveries, deliveriesIn, leastFar } from '../delivery/delivery.ts'
import type { Env } from '../env.ts'
import type { InboxItem, WaitingItem } from '../inbox/item-shape.ts'
import type { View } from '../view.ts'
import type { AgentItem, PersonWait, Trust } from './task-shape.ts'
import { isForPerson, type PersonSigns, tasksOf } from './tasks.ts'

/** What a person has before itself: what only it can do, what its agent has to do, and whom both wait for. */
export type Todo = ReturnType<typeof todoOf>

interface Inbox {
  readonly waitingFor: readonly WaitingItem[]
  /** Of all items, also of those that were not looked at. */
  readonly count: number
}

interface Looking {
  readonly view: View
  readonly env: Pick<Env, 'self'>
  /** Most items and most waits that are shown. */
  readonly limit: number
  /** Most that were looked at. */
  readonly examined: number
}

export function todoOf(signs: PersonSigns, { waitingFor, count }: Inbox, looking: Looking) {
  const { limit, examined } = looking
  const person = tasksOf(signs)
  const items = signs.items.filter((item) => !isForPerson(item, signs))
  const agent = items.map((item) => agentItem(item, signs))
  const overdue = agent.filter((item) => item.overdue).length
  return {
    person,
    agent: agent.slice(0, limit),
    waiting: waitsOf(waitingFor.slice(0, limit), looking),
    counts: {
      person: person.length,
      agent: count - (signs.items.length - items.length),
      overdue,
      waiting: waitingFor.length,
      /** What a person should look at: its own tasks, and what is overdue. */
      total: person.length + overdue,
    },
    /** Whether there is more to do, or to wait for, than was looked at. */
    more: count > signs.items.length || waitingFor.length === examined,
  }
}

const agentItem = (item: InboxItem, { horizon, trustOf }: PersonSigns): AgentItem => ({
  ...item,
  from: { ...item.from, trust: trustOf(item.from.agentId) },
  overdue: item.urgency !== 'low' && item.since <= horizon,
})

function waitsOf(waits: readonly WaitingItem[], { view, env }: Looking): PersonWait[] {
  const deliveries = new Map<string, Deliveries>()
  return waits.map((wait) => {
    const found = view.projects.get(wait.projectId)
    const contract = wait.about.kind === 'contract' ? found?.contracts.get(wait.about.id) : undefined
    const projectName = found?.project.name ?? ''
    if (found === undefined || contract === undefined) return { ...wait, projectName }
    const known = getOrAdd(deliveries, wait.projectId, () => deliveriesIn(view, found, env.self))
    return { ...wait, projectName, ...defined({ delivery: leastFar(known.ofContract(contract)) }) }
  })
}

/** What this daemon makes of the agent. */
export function trustIn({ peers }: Pick<View, 'peers'>, { self }: Pick<Env, 'self'>) {
  return (agentId: string | null): Trust => {
    if (agentId === null) return 'unknown'
    return agentId === self.agentId ? 'own' : (peers.get(agentId)?.trust ?? 'unknown')
  }
}
