import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Change,
  contractChange,
  packetChange,
  projectChange,
  repoChange,
} from '../../../src/domain/change.ts'
import { turnsOfContract } from '../../../src/domain/contract-turns.ts'
import type { Env } from '../../../src/domain/env.ts'
import { type Duty, isAmong, turnsOfQuestion } from '../../../src/domain/inbox.ts'
import { itemId } from '../../../src/domain/inbox-item.ts'
import { repoOfAgent } from '../../../src/domain/lookup.ts'
import { dutyOfLoser, lostClaims } from '../../../src/domain/lost-claim.ts'
import type { Contract, Packet, Repo } from '../../../src/domain/model.ts'
import { talkAbout } from '../../../src/domain/question.ts'
import { openQuestions } from '../../../src/domain/standing.ts'
import type { ProjectView } from '../../../src/domain/view.ts'
import { ChangeLog, entityKey } from '../../../src/engine/change-log.ts'
import type { Store } from '../../../src/engine/ports.ts'
import { InboxService } from '../../../src/engine/seat/inbox.ts'
import * as built from '../../domain/builders.ts'

const AGENTS = ['aid://example.com/a@1.0.0', 'aid://example.com/b@1.0.0']
const PROJECTS = ['p1', 'p:2']
const REPOS = [built.BACKEND, built.FRONTEND, 'repo-mobile']
/** So few packets that most reply to one that is there, or will be, and some to themselves in the end. */
const PACKETS = ['k1', 'k2', 'k3', 'k:4', 'k5']

const STATES: readonly (() => Contract)[] = [
  built.proposed,
  built.negotiating,
  built.agreed,
  () => built.start(built.agreed(), built.BACKEND, built.at(2)),
  () =>
    built.start(
      built.startAndComplete(built.agreed(), built.BACKEND, built.at(2)),
      built.FRONTEND,
      built.at(3),
    ),
  built.implemented,
  built.verified,
  () => ({ ...built.proposed(), parties: [built.BACKEND] }),
]

const projectId = fc.constantFrom(...PROJECTS)
const repoId = fc.constantFrom(...REPOS)
const second = fc.integer({ min: 0, max: 9 })

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc
    .record({ project_id: projectId, archived: fc.boolean() })
    .map(({ project_id, archived }) =>
      projectChange(built.project({ project_id, archived: { value: archived, at: built.at(0) } })),
    ),
  fc
    .record({
      project_id: projectId,
      repo_id: repoId,
      agents: fc.shuffledSubarray(AGENTS),
      at: second,
    })
    .map(({ project_id, repo_id, agents, at }) => {
      const claims: Repo['claims'] = agents.map((agent_id, later) => {
        const claimed_at = built.at(at + later)
        return { agent_id, claimed_at, released_at: null, endpoint: { value: null, at: claimed_at } }
      })
      return repoChange(project_id, built.repo({ repo_id, name: repo_id.slice(5), claims }))
    }),
  fc
    .record({
      project_id: projectId,
      state: fc.nat({ max: STATES.length - 1 }),
      id: fc.constantFrom('c1', 'c2'),
    })
    .map(({ project_id, state, id }) =>
      contractChange(project_id, { ...(STATES[state] ?? built.proposed)(), contract_id: id }),
    ),
  fc
    .record({
      project_id: projectId,
      packet_id: fc.constantFrom(...PACKETS),
      from_repo: repoId,
      timestamp: second.map((one) => built.at(one)),
      type: fc.constantFrom<Packet['type'][]>('question', 'question', 'dependency_info', 'decision'),
      content: fc.constantFrom({ question: 'why?' }, { question: 'give', wants: 'file' }, { file: {} }),
      reply_to: fc.option(fc.constantFrom(...PACKETS)),
      redacted: fc.option(fc.constant({ by: 'x', at: built.at(9), reason: '' }), { freq: 1 }),
    })
    .map(({ project_id, ...given }) => packetChange(project_id, built.packet(given))),
)

/** The state after some changes, and an inbox over it. */
class World {
  readonly log = new ChangeLog([])
  readonly #latest = new Map<string, Change>()
  readonly inbox: InboxService
  #seq = 0

  constructor() {
    const store = {
      id: 'store',
      view: { projects: { get: (id: string) => this.project(id) }, acks: { get: () => undefined } },
    } as unknown as Store
    this.inbox = new InboxService({ store, log: this.log, pause: async () => {} })
  }

  put(change: Change): void {
    this.#latest.set(entityKey(change), change)
    this.log.record([{ ...change, seq: ++this.#seq }])
  }

  get latest(): Iterable<Change> {
    return this.#latest.values()
  }

  project(id: string): ProjectView | undefined {
    const all = [...this.#latest.values()].filter(({ project_id }) => project_id === id)
    const of = <Kind extends Change['kind']>(kind: Kind) =>
      all.flatMap((change) =>
        change.kind === kind ? [change.value as Extract<Change, { kind: Kind }>['value']] : [],
      )
    const [project] = of('project')
    if (project === undefined) return undefined
    return built.viewOf({ project, repos: of('repo'), contracts: of('contract'), packets: of('packet') })
  }

  /** What the agent has to do, from the rules alone. */
  expected(agentId: string): string[] {
    const due = PROJECTS.flatMap((id) => {
      const found = this.project(id)
      if (found === undefined || found.project.archived.value) return []
      const repo = repoOfAgent(found, agentId)
      if (repo === undefined) return lostIn(found, agentId)
      const mine = (duties: readonly Duty[], about: string) =>
        duties
          .filter(({ to }) => isAmong(repo.repo_id, to, found.repos.size))
          .map(({ kind, since }) => `${since} ${itemId(kind, id, about)}`)
      return [
        ...[...found.contracts.oldestFirst()].flatMap((one) =>
          mine(turnsOfContract(one).duties, one.contract_id),
        ),
        ...openQuestions(found).flatMap((one) =>
          mine(turnsOfQuestion(one, talkAbout(one, found)).duties, one.packet_id),
        ),
      ]
    })
    return due.sort()
  }

  async listed(agentId: string): Promise<string[]> {
    const env = { caller: { kind: 'operator', agentId, repoName: null } } as unknown as Env
    const { items, count } = await this.inbox.list({ limit: 200, includeAcked: false }, env)
    expect(count).toBe(items.length)
    const places = items.map(({ since, kind, about }) => `${since} ${kind} ${about.id}`)
    expect(places).toEqual(places.toSorted())
    return items.map(({ since, id }) => `${since} ${id}`).sort()
  }
}

function lostIn({ project, repos }: ProjectView, agentId: string): string[] {
  for (const repo of repos.oldestFirst()) {
    const lost = lostClaims(repo, project).get(agentId)
    if (lost === undefined) continue
    const { kind, since } = dutyOfLoser(repo, lost)
    return [`${since} ${itemId(kind, project.project_id, project.project_id)}`]
  }
  return []
}

describe('the index of what there is to do', () => {
  test('says after every history what the rules say of its end, and so does one that is made anew', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(changes, fc.boolean()), { minLength: 1, maxLength: 40 }),
        async (history) => {
          const world = new World()
          for (const [change, isAsked] of history) {
            world.put(change)
            if (isAsked) await world.listed(AGENTS[0] ?? '')
          }
          const anew = new World()
          for (const change of world.latest) anew.put(change)
          for (const agentId of AGENTS) {
            const expected = world.expected(agentId)
            expect(await world.listed(agentId)).toEqual(expected)
            expect(await anew.listed(agentId)).toEqual(expected)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
