import { describe, expect, test } from 'vitest'
import { mergeRepo } from '../../src/domain/merge.ts'
import type { Claim, Repo } from '../../src/domain/model.ts'
import { activeClaim, claimRepo, newRepo, releaseRepo, repoStamp } from '../../src/domain/repo.ts'
import { at, project, repo } from './builders.ts'

const ANN = 'aid://example.com/ann@1.0.0'
const BOB = 'aid://example.com/bob@1.0.0'
const shared = project({ created_at: at(0) })

const claimedBy = (agentId: string, second: number, unclaimed: Repo = repo()): Repo =>
  claimRepo(unclaimed, { project: shared, agentId, endpoint: undefined, now: at(second) })

const holder = (one: Repo): string | undefined => activeClaim(one, shared)?.agent_id

function release(held: Repo, second: number): Repo {
  return releaseRepo(held, activeClaim(held, shared) as Claim, at(second))
}

describe('a repo', () => {
  test('added on both sides of a partition is one repo', () => {
    const about = { role: 'backend', language: 'go', relevant_paths: [], url: null }
    expect(newRepo('p1', 'backend', about, at(1)).repo_id).toBe(
      newRepo('p1', 'backend', about, at(9)).repo_id,
    )
  })

  test('of the same name in another project is another repo', () => {
    const about = { role: 'backend', language: 'go', relevant_paths: [], url: null }
    expect(newRepo('p1', 'backend', about, at(1)).repo_id).not.toBe(
      newRepo('p2', 'backend', about, at(1)).repo_id,
    )
  })
})

describe('a claim', () => {
  test('holds the repo for its agent', () => {
    expect(holder(claimedBy(ANN, 1))).toBe(ANN)
  })

  test('of a repo that another agent holds is refused, and says by whom it is held', () => {
    expect(() => claimedBy(BOB, 2, claimedBy(ANN, 1))).toThrow(
      expect.objectContaining({ kind: 'conflict', message: expect.stringContaining(ANN) }),
    )
  })

  test('repeated by its holder changes nothing', () => {
    const held = claimedBy(ANN, 1)
    expect(claimedBy(ANN, 5, held)).toBe(held)
  })

  test('repeated with a new endpoint moves the endpoint and keeps the time of the claim', () => {
    const moved = claimRepo(claimedBy(ANN, 1), {
      project: shared,
      agentId: ANN,
      endpoint: 'http://new',
      now: at(5),
    })
    expect(moved.claims).toEqual([
      { agent_id: ANN, claimed_at: at(1), released_at: null, endpoint: { value: 'http://new', at: at(5) } },
    ])
  })

  test('made by a clock behind the creation of the project still counts', () => {
    const young = project({ created_at: at(100) })
    const held = claimRepo(repo(), { project: young, agentId: ANN, endpoint: undefined, now: at(1) })
    expect(activeClaim(held, young)?.agent_id).toBe(ANN)
  })

  test('dated before the project existed never wins', () => {
    const forged = {
      agent_id: BOB,
      claimed_at: at(-1),
      released_at: null,
      endpoint: { value: null, at: at(1) },
    }
    const { value } = mergeRepo(claimedBy(ANN, 5), repo({ claims: [forged] }))
    expect(holder(value)).toBe(ANN)
    expect(holder(repo({ claims: [forged] }))).toBeUndefined()
  })
})

describe('concurrent claims', () => {
  test('have one winner, the earlier, on both sides', () => {
    const ann = claimedBy(ANN, 5)
    const bob = claimedBy(BOB, 4)
    expect(holder(mergeRepo(ann, bob).value)).toBe(BOB)
    expect(holder(mergeRepo(bob, ann).value)).toBe(BOB)
  })

  test('made at the same moment have the same winner on both sides', () => {
    const ann = claimedBy(ANN, 5)
    const bob = claimedBy(BOB, 5)
    expect(holder(mergeRepo(ann, bob).value)).toBe(holder(mergeRepo(bob, ann).value))
  })
})

describe('a release', () => {
  test('makes room for the next agent', () => {
    const free = release(claimedBy(ANN, 1), 2)
    expect(holder(free)).toBeUndefined()
    expect(holder(claimedBy(BOB, 3, free))).toBe(BOB)
  })

  test('lets the same agent come back later', () => {
    expect(holder(claimedBy(ANN, 3, release(claimedBy(ANN, 1), 2)))).toBe(ANN)
  })

  test('is not undone by a peer that has not heard of it', () => {
    const held = claimedBy(ANN, 1)
    expect(holder(mergeRepo(release(held, 2), held).value)).toBeUndefined()
    expect(holder(mergeRepo(held, release(held, 2)).value)).toBeUndefined()
  })

  test('ends all claims of that agent, however peers have dated them', () => {
    const twice = mergeRepo(claimedBy(ANN, 1), claimedBy(ANN, 2)).value
    expect(twice.claims).toHaveLength(2)
    expect(holder(release(twice, 3))).toBeUndefined()
  })

  test('leaves the claim of another agent waiting behind it in place', () => {
    const both = mergeRepo(claimedBy(ANN, 1), claimedBy(BOB, 2)).value
    expect(holder(release(both, 3))).toBe(BOB)
  })

  test('by a lagging clock is stamped after the claim that it ends', () => {
    expect(repoStamp(release(claimedBy(ANN, 50), 1))).toBe(at(50, 1))
  })
})
