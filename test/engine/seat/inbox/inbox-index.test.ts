import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../../../src/domain/change.ts'
import { addresseesOf, isPacketInEffect } from '../../../../src/domain/context/message.ts'
import { talkAbout } from '../../../../src/domain/context/question.ts'
import { openQuestions } from '../../../../src/domain/contract/next-step.ts'
import { turnsOfContract } from '../../../../src/domain/contract/turns.ts'
import { entityKey } from '../../../../src/domain/entity.ts'
import type { Env } from '../../../../src/domain/env.ts'
import { type Duty, isAmong, turnsOfMessage, turnsOfQuestion } from '../../../../src/domain/inbox/inbox.ts'
import { itemId } from '../../../../src/domain/inbox/item.ts'
import { repoOfAgent } from '../../../../src/domain/lookup.ts'
import { lostClaimDuty, lostClaims, rivalClaimsDuty } from '../../../../src/domain/repo/lost-claim.ts'
import { repoIdOf } from '../../../../src/domain/statements/shared-fields.ts'
import type { ProjectView } from '../../../../src/domain/view.ts'
import type {
  ContractEntity,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
} from '../../../../src/domain/views/entities.ts'
import { ChangeLog } from '../../../../src/engine/log/change-log.ts'
import type { Store } from '../../../../src/engine/ports/ports.ts'
import { createInbox, type DerivedInbox } from '../../../../src/engine/seat/inbox/inbox.ts'
import * as built from '../../../domain/builders.ts'
import * as told from '../../../domain/story.ts'
import { signerOf } from '../../../support/desk/signer.ts'

const AGENTS = ['aid://example.com/a@1.0.0', 'aid://example.com/b@1.0.0']
const [FOUNDER = ''] = AGENTS
const { projectId: STORY } = new told.Story()
/** In the first of them repos have the ids that follow from their names. */
const PROJECTS = [STORY, 'p:2']
const NAMES = ['backend', 'frontend', 'mobile']
/** So few packets that most reply to one that is there, or will be, and some to themselves in the end. */
const PACKETS = ['k1', 'k2', 'k3', 'k:4', 'k5']

function oneHasStarted(): told.Told {
  const agreed = told.agreed()
  agreed.story.works('backend', agreed.revision, 'in_progress', built.at(12))
  return agreed
}

function oneIsWaited(): told.Told {
  const agreed = told.agreed()
  agreed.story.works('backend', agreed.revision, 'complete', built.at(12))
  agreed.story.works('frontend', agreed.revision, 'in_progress', built.at(13))
  return agreed
}

const STATES: readonly ContractEntity[] = [
  told.proposed(),
  told.negotiating(),
  told.agreed(),
  oneHasStarted(),
  oneIsWaited(),
  told.implemented(),
  told.verified(),
].map(({ contract }) => contract)

/** An entity as it is from then on; null: there is none. */
type Put =
  | {
      readonly kind: 'project'
      readonly project_id: string
      readonly id: string
      readonly value: ProjectEntity
    }
  | {
      readonly kind: 'repo'
      readonly project_id: string
      readonly id: string
      readonly value: RepoEntity | null
    }
  | {
      readonly kind: 'contract'
      readonly project_id: string
      readonly id: string
      readonly value: ContractEntity | null
    }
  | {
      readonly kind: 'packet'
      readonly project_id: string
      readonly id: string
      readonly value: PacketEntity | null
    }

const projectId = fc.constantFrom(...PROJECTS)
const repoName = fc.constantFrom(...NAMES)
const second = fc.integer({ min: 0, max: 9 })
const isGone = fc.integer({ min: 0, max: 7 }).map((one) => one === 0)

/** The first of them holds it; the others claimed it in vain. */
function repoOf(name: string, agents: readonly string[], since: number, isConfirmed: boolean): RepoEntity {
  const claims = agents.map((agent_id, index) =>
    built.claim(agent_id, {
      claimed_at: built.at(since + index),
      is_confirmed: isConfirmed && index === 0,
      standing: index === 0 ? 'holds' : 'outranked',
    }),
  )
  const [holder] = claims
  return built.repo({ repo_id: repoIdOf(STORY, name), name, holder, claims })
}

const changes: fc.Arbitrary<Put> = fc.oneof(
  fc.record({ project_id: projectId, archived: fc.boolean() }).map(({ project_id, archived }) => ({
    kind: 'project' as const,
    project_id,
    id: project_id,
    value: built.project({ project_id, archived, created_by: FOUNDER }),
  })),
  fc
    .record({
      project_id: projectId,
      name: repoName,
      agents: fc.shuffledSubarray(AGENTS),
      at: second,
      isConfirmed: fc.boolean(),
      isGone,
    })
    .map(({ project_id, name, agents, at, isConfirmed, isGone }) => ({
      kind: 'repo' as const,
      project_id,
      id: repoIdOf(STORY, name),
      value: isGone ? null : repoOf(name, agents, at, isConfirmed),
    })),
  fc
    .record({
      project_id: projectId,
      state: fc.constantFrom(...STATES),
      id: fc.constantFrom('c1', 'c2'),
      isGone,
    })
    .map(({ project_id, state, id, isGone }) => ({
      kind: 'contract' as const,
      project_id,
      id,
      value: isGone ? null : (Object.create(state, { contract_id: { value: id } }) as ContractEntity),
    })),
  fc
    .record({
      project_id: projectId,
      packet_id: fc.constantFrom(...PACKETS),
      repo_id: repoName.map((name) => repoIdOf(STORY, name)),
      timestamp: second.map((one) => built.at(one)),
      type: fc.constantFrom<PacketEntity['type'][]>('question', 'question', 'dependency_info', 'decision'),
      content: fc.constantFrom(
        { question: 'why?' },
        { question: 'give', wants: 'file' },
        { file: {} },
        { to: ['backend'] },
        { message: 'hi', to: ['frontend', 'backend', 'mobile'] },
      ),
      reply_to: fc.option(fc.constantFrom(...PACKETS)),
      redacted: fc.option(fc.constant({ by: 'x', at: built.at(9), reason: '' }), { freq: 1 }),
      counts: fc.integer({ min: 0, max: 5 }).map((one) => one > 0),
      isGone,
    })
    .map(({ project_id, isGone, ...given }) => ({
      kind: 'packet' as const,
      project_id,
      id: given.packet_id,
      value: isGone ? null : built.packet(given),
    })),
)

/** The state after some changes, and an inbox over it. */
class World {
  readonly log = new ChangeLog([])
  readonly #latest = new Map<string, Put>()
  readonly inbox: DerivedInbox
  #seq = 0

  constructor() {
    const store = {
      id: 'store',
      view: { projects: { get: (id: string) => this.project(id) }, acks: { get: () => undefined } },
      commit: async (decide: () => unknown) => decide(),
    } as unknown as Store
    this.inbox = createInbox({
      takeMinutes: 30,
      self: { signer: signerOf(FOUNDER) },
      store,
      log: this.log,
      pause: async () => {},
    })
  }

  put(one: Put): void {
    this.#latest.set(entityKey(one), one)
    const { kind, project_id, id } = one
    const change: Change = {
      kind,
      project_id,
      id,
      seq: ++this.#seq,
      isWide: kind === 'project' || kind === 'repo',
    }
    this.log.record([change])
  }

  get latest(): Iterable<Put> {
    return this.#latest.values()
  }

  project(id: string): ProjectView | undefined {
    const all = [...this.#latest.values()].filter(({ project_id }) => project_id === id)
    const of = <Kind extends Put['kind']>(kind: Kind) =>
      all.flatMap((one) =>
        one.kind === kind && one.value !== null
          ? [one.value as NonNullable<Extract<Put, { kind: Kind }>['value']>]
          : [],
      )
    const [project] = of('project')
    if (project === undefined) return undefined
    return built.viewOf({ project, repos: of('repo'), contracts: of('contract'), packets: of('packet') })
  }

  /** What the agent has to do, from the rules alone. */
  expected(agentId: string): string[] {
    const due = PROJECTS.flatMap((id) => {
      const found = this.project(id)
      if (found === undefined || found.project.archived) return []
      const repo = repoOfAgent(found, agentId)
      const mine = (duties: readonly Duty[], about: string) =>
        duties
          .filter(({ to }) => repo !== undefined && isAmong(repo.repo_id, to))
          .map(({ kind, since }) => `${since} ${itemId(kind, id, about)}`)
      return [
        ...mattersIn(found, agentId, repo !== undefined),
        ...[...found.contracts.oldestFirst()].flatMap((one) =>
          mine(turnsOfContract(one).duties, one.contract_id),
        ),
        ...openQuestions(found).flatMap((one) =>
          mine(turnsOfQuestion(one, talkAbout(one, found)).duties, one.packet_id),
        ),
        ...[...found.packets.oldestFirst()].flatMap((one) =>
          mine(turnsOfMessage(one, unanswered(one, found)).duties, one.packet_id),
        ),
      ]
    })
    return due.sort()
  }

  async listed(agentId: string): Promise<string[]> {
    const env = { caller: { kind: 'operator', agentId, repoName: null } } as unknown as Env
    const { items, count } = await this.inbox.list({ limit: 200, includeAcked: false }, env)
    expect(count).toBe(items.length)
    const places = items.map(
      ({ urgency, since, kind, about }) => `${urgency === 'low' ? 1 : 0} ${since} ${kind} ${about.id}`,
    )
    expect(places).toEqual(places.toSorted())
    return items.map(({ since, id }) => `${since} ${id}`).sort()
  }
}

/** Those a message is for that have not replied to it. */
function unanswered(message: PacketEntity, { project, packets }: ProjectView): string[] {
  const replies = [...packets.oldestFirst()].filter(
    (one) => one.reply_to === message.packet_id && isPacketInEffect(one),
  )
  return addresseesOf(message, project.project_id).filter(
    (id) => !replies.some(({ repo_id }) => repo_id === id),
  )
}

/** What there is to do about who holds what: of several repos, it is the first by name. */
function mattersIn({ project, repos }: ProjectView, agentId: string, isHolder: boolean): string[] {
  const duties = new Map<string, Duty>()
  for (const repo of repos.newestFirst()) {
    const lost = lostClaims(repo).find((one) => one.lost.agent_id === agentId)
    if (lost !== undefined && !isHolder) duties.set('lost', lostClaimDuty(repo, lost))
    const rivalry = rivalClaimsDuty(repo, project)
    if (rivalry?.toAgents.includes(agentId)) duties.set('rivalry', rivalry.duty)
  }
  const { project_id: id } = project
  return [...duties.values()].map(({ kind, since }) => `${since} ${itemId(kind, id, id)}`)
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
