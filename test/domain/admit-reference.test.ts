import { describe, expect, test } from 'vitest'
import { admitContract, admitPacket, admitProject, admitRepo } from '../../src/domain/admit.ts'
import { conflictsOf, headOf, statusOf } from '../../src/domain/contract.ts'
import { mergeContract, mergeRepo } from '../../src/domain/merge.ts'
import type { Contract, Repo } from '../../src/domain/model.ts'
import { renderContract } from '../../src/domain/render.ts'
import { activeClaim } from '../../src/domain/repo.ts'
import type { Stamp } from '../../src/protocol/stamp.ts'
import { at, project, throughJson } from './builders.ts'
import { docContract, docPacket, docProject, docRepo, docVersion } from './doc-objects.ts'

/** What the reference implementation sends is understood, with everything in it. */

const now = at(60)
const contract = (wire: unknown): Contract => admitContract(wire, { now, repoIds: ['r2', 'r1'] })

describe('a contract from the reference', () => {
  test('has its naive times read as UTC to the microsecond', () => {
    const taken = contract(docContract())
    expect(taken.created_at).toBe('2026-01-01T00:00:00.000001Z')
    expect(headOf(taken).timestamp).toBe('2026-01-01T00:00:05.123456Z')
  })

  test('has the repos of the project as parties, because it cannot name them', () => {
    expect(contract(docContract()).parties).toEqual(['r1', 'r2'])
  })

  test('has its history as a chain without conflicts, null notes as no notes', () => {
    const taken = contract(docContract({ version: 3, history: [docVersion(1), docVersion(2)] }))
    expect(taken.revisions.map((one) => one.change_notes)).toEqual(['', '', ''])
    expect(taken.revisions.map((one) => one.parent)).toEqual([
      null,
      taken.revisions[0]?.id,
      taken.revisions[1]?.id,
    ])
    expect(conflictsOf(taken)).toEqual([])
  })

  test.each(['implemented', 'verified'])(
    'that calls itself %s is agreed until the work shows it',
    (status) => {
      expect(statusOf(contract(docContract({ status })))).toBe('agreed')
    },
  )

  test('has implementations without our keys as work on its head', () => {
    const implementations = ['r1', 'r2'].map((repo_id) => ({
      repo_id,
      agent_id: null,
      status: 'complete',
      files: null,
      notes: null,
      plan: null,
      test_endpoint: null,
      started_at: '2026-01-01T00:00:01',
      completed_at: '2026-01-01T00:00:02',
    }))
    const taken = contract(docContract({ status: 'implemented', implementations }))
    expect(statusOf(taken)).toBe('implemented')
    expect(taken.implementations[0]).toMatchObject({ files: [], notes: '', updated_at: at(2) })
  })

  test('keeps an implementation that needs revision, and is not implemented by it', () => {
    const implementations = ['r1', 'r2'].map((repo_id) => ({ repo_id, status: 'needs_revision' }))
    const taken = contract(docContract({ status: 'agreed', implementations }))
    expect(taken.implementations.map((one) => one.status)).toEqual(['needs_revision', 'needs_revision'])
    expect(statusOf(taken)).toBe('agreed')
  })

  test('that is sent twice is no news the second time', () => {
    expect(mergeContract(contract(docContract()), contract(docContract())).changed).toBe(false)
  })
})

describe('a repo from the reference', () => {
  const receive = (local: Repo | undefined, given: object, second: number): Repo => {
    const incoming = admitRepo(docRepo(given), { now: at(second), local })
    return local === undefined ? incoming : mergeRepo(local, incoming).value
  }

  test.each(['assigned_agent', 'agent_id'])('is claimed by its %s from now on', (key) => {
    const taken = receive(undefined, { [key]: 'ann', agent_endpoint: 'http://ann' }, 60)
    expect(activeClaim(taken, project())).toEqual({
      agent_id: 'ann',
      claimed_at: at(60),
      released_at: null,
      endpoint: { value: 'http://ann', at: at(60) },
    })
  })

  test('without an agent claims nothing', () => {
    expect(receive(undefined, {}, 60).claims).toEqual([])
  })

  test('that is sent again and again does not grow claims', () => {
    let held = receive(undefined, { assigned_agent: 'ann' }, 60)
    const first = held
    for (let second = 61; second < 80; second++) held = receive(held, { assigned_agent: 'ann' }, second)
    expect(held).toBe(first)
  })

  test('that names another agent again and again adds one losing claim', () => {
    let held = receive(undefined, { assigned_agent: 'ann' }, 60)
    for (let second = 61; second < 80; second++) held = receive(held, { assigned_agent: 'bob' }, second)
    expect(held.claims.map((one) => one.agent_id)).toEqual(['ann', 'bob'])
    expect(activeClaim(held, project())?.agent_id).toBe('ann')
  })

  test('that moved its endpoint moves it here too', () => {
    const held = receive(undefined, { assigned_agent: 'ann', agent_endpoint: 'http://old' }, 60)
    const moved = receive(held, { assigned_agent: 'ann', agent_endpoint: 'http://new' }, 61)
    expect(moved.claims).toMatchObject([{ claimed_at: at(60), endpoint: { value: 'http://new' } }])
  })

  test('never overwrites a description that somebody dated', () => {
    const dated = admitRepo(docRepo({ role: 'api', described_at: '2026-01-01T00:00:01' }), {
      now,
      local: undefined,
    })
    expect(receive(dated, { role: 'zzz' }, 60).about.value.role).toBe('api')
  })
})

test('a project from the reference has one time for all it says', () => {
  expect(admitProject(docProject(), now)).toMatchObject({
    name: { value: 'Auth', at: '2026-01-01T00:00:05.123456Z' as Stamp },
    archived: { value: false, at: at(0) },
    visibility: 'all',
    created_by: '',
    extra: {},
  })
})

test('a packet from the reference may leave out its author, its contracts and what it replies to', () => {
  const bare = { from_agent: null, related_contracts: null, reply_to: undefined }
  expect(admitPacket(docPacket(bare), now)).toMatchObject({
    from_agent: '',
    related_contracts: [],
    reply_to: null,
    redacted: null,
  })
})

describe('what this version does not know', () => {
  const unknown = { priority: 'high', nested: { a: [1, null] }, toString: 'mine', constructor: 'mine' }

  test('is kept with every kind of entity', () => {
    expect(admitProject(docProject(unknown), now).extra).toEqual(unknown)
    expect(admitRepo(docRepo(unknown), { now, local: undefined }).extra).toEqual(unknown)
    expect(contract(docContract(unknown)).extra).toEqual(unknown)
    expect(admitPacket(docPacket(unknown), now).extra).toEqual(unknown)
  })

  test('is kept in a merge with a side that does not have it, and sent on', () => {
    const { value } = mergeContract(contract(docContract()), contract(docContract(unknown)))
    expect(throughJson(renderContract(value))).toMatchObject(unknown)
  })

  test('does not include the status that follows from the parts', () => {
    expect(admitProject(docProject({ status: 'complete' }), now).extra).toEqual({})
  })
})

describe('a key named __proto__ inside content', () => {
  const content = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as object

  test('stays an ordinary key, through admission, merge and the way out', () => {
    const taken = contract(docContract({ content }))
    const { value } = mergeContract(taken, contract(docContract({ content, status: 'agreed' })))
    expect(JSON.stringify(renderContract(value).content)).toBe(JSON.stringify(content))
    expect(Object.keys(headOf(value).content)).toEqual(['__proto__', 'constructor'])
  })

  test('makes another revision than the content without it', () => {
    expect(headOf(contract(docContract({ content }))).id).not.toBe(
      headOf(contract(docContract({ content: { constructor: 1 } }))).id,
    )
  })

  test('changes no prototype', () => {
    contract(docContract({ content }))
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})
