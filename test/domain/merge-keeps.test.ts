import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admitContract } from '../../src/domain/admit.ts'
import { headOf, statusOf } from '../../src/domain/contract.ts'
import { mergeContract, mergePacket, mergeRepo } from '../../src/domain/merge.ts'
import type { Contract, Implementation, Packet, Revision } from '../../src/domain/model.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'
import { parseStamp, type Stamp } from '../../src/protocol/stamp.ts'
import {
  anyContract,
  anyDocContract,
  anyIntactPacket,
  anyPacket,
  anyRedactedPacket,
  anyRepo,
  type DocContract,
} from './arbitraries.ts'
import { at } from './builders.ts'

/** A merge can outvote, but it cannot lose, move or invent. */

const RUNS = { numRuns: 10_000 }

describe('nothing that either side holds is lost', () => {
  test('every revision, response, verification and piece of work of a contract stays', () => {
    eachMergeOf(anyContract, mergeContract, (merged, sides) => {
      const all = <T>(part: (side: Contract) => readonly T[]): T[] => sides.flatMap(part)
      return (
        keepsRevisions(
          merged.revisions,
          all((side) => side.revisions),
        ) &&
        keepsOnePerKey(
          merged.responses,
          all((side) => side.responses),
          (one) => one.response_id,
        ) &&
        keepsOnePerKey(
          merged.verifications,
          all((side) => side.verifications),
          (one) => one.verification_id,
        ) &&
        keepsNewestWork(
          merged.implementations,
          all((side) => side.implementations),
        )
      )
    })
  })

  test('every claim stays, and a release on one side holds for both', () => {
    const key = (one: { claimed_at: string; agent_id: string }) => `${one.claimed_at} ${one.agent_id}`
    eachMergeOf(anyRepo, mergeRepo, (merged, sides) => {
      const given = sides.flatMap((side) => side.claims)
      const keys = new Set(given.map(key))
      return (
        merged.claims.length === keys.size &&
        merged.claims.every((kept) => {
          const versions = given.filter((one) => key(one) === key(kept))
          const isReleased = versions.some((one) => one.released_at !== null)
          return versions.length > 0 && (kept.released_at !== null) === isReleased
        })
      )
    })
  })

  test('every packet that came under an id stays, in front or behind', () => {
    eachMergeOf(anyIntactPacket, mergePacket, (merged, sides) => {
      const given = new Set(sides.flatMap(variantsOf))
      const kept = variantsOf(merged)
      return kept.length === given.size && kept.every((variant) => given.has(variant))
    })
  })
})

describe('a redaction', () => {
  test('wins against every packet that still has its content', () => {
    fc.assert(
      fc.property(anyRedactedPacket, anyIntactPacket, (redacted, intact) => {
        const text = canonicalText(redacted)
        return (
          canonicalText(mergePacket(redacted, intact).value) === text &&
          canonicalText(mergePacket(intact, redacted).value) === text
        )
      }),
      RUNS,
    )
  })

  test('is never undone by whatever comes later', () => {
    fc.assert(
      fc.property(anyRedactedPacket, fc.array(anyPacket, { maxLength: 3 }), (redacted, later) => {
        const end = later.reduce((a, b) => mergePacket(a, b).value, redacted)
        return (
          end.redacted !== null &&
          end.others.length === 0 &&
          canonicalText(end.content) === '{"redacted":true}'
        )
      }),
      RUNS,
    )
  })
})

describe('the head', () => {
  test("follows the document's rule: the highest version, then the newest time", () => {
    let ties = 0
    fc.assert(
      fc.property(anyDocContract, anyDocContract, (a, b) => {
        const head = headOf(mergeContract(admit(a), admit(b)).value)
        const candidates = [a, b].filter((one) => rank(one) === [rank(a), rank(b)].sort().at(-1))
        if (candidates.length === 2) ties++
        return (
          head.version === candidates[0]?.version &&
          candidates.some((one) => canonicalText(one.content) === canonicalText(head.content))
        )
      }),
      RUNS,
    )
    expect(ties).toBeGreaterThan(RUNS.numRuns / 100)
  })
})

describe('an agreement', () => {
  test('never moves to other content: somebody agreed to exactly the revision that is the head', () => {
    let agreements = 0
    eachMergeOf(anyContract, mergeContract, (merged, sides) => {
      if (statusOf(merged) === 'proposed' || statusOf(merged) === 'negotiating') return true
      agreements++
      const head = headOf(merged)
      return sides.some((side) =>
        side.revisions.some(
          (one) => one.id === head.id && one.base.value === 'agreed' && one.base.at === head.base.at,
        ),
      )
    })
    expect(agreements).toBeGreaterThan(RUNS.numRuns / 10)
  })
})

function eachMergeOf<T>(
  anyState: fc.Arbitrary<T>,
  merge: (a: T, b: T) => { value: T },
  holds: (merged: T, sides: [T, T]) => boolean,
): void {
  fc.assert(
    fc.property(anyState, anyState, (a, b) => holds(merge(a, b).value, [a, b])),
    RUNS,
  )
}

/** Each revision once, at its newest stamps, settling whatever either side says it settles. */
function keepsRevisions(kept: readonly Revision[], given: readonly Revision[]): boolean {
  return (
    kept.length === new Set(given.map((one) => one.id)).size &&
    kept.every((revision) => {
      const same = given.filter((one) => one.id === revision.id)
      return (
        same.some((one) => isDeepStrictEqual(one.base, revision.base)) &&
        same.some((one) => one.parent === revision.parent) &&
        same.some((one) => one.change_notes === revision.change_notes) &&
        same.every(
          (one) =>
            one.timestamp <= revision.timestamp &&
            one.base.at <= revision.base.at &&
            one.resolves.every((id) => revision.resolves.includes(id)) &&
            isDeepStrictEqual(one.content, revision.content),
        )
      )
    })
  )
}

function keepsNewestWork(kept: readonly Implementation[], given: readonly Implementation[]): boolean {
  const key = (one: Implementation) => `${one.revision} ${one.repo_id}`
  return (
    keepsOnePerKey(kept, given, key) &&
    kept.every((work) => given.every((one) => key(one) !== key(work) || one.updated_at <= work.updated_at))
  )
}

/** One record for each key that was given, and each of them exactly as it was given. */
function keepsOnePerKey<T>(kept: readonly T[], given: readonly T[], key: (item: T) => string): boolean {
  return (
    kept.length === new Set(given.map(key)).size &&
    new Set(kept.map(key)).size === kept.length &&
    kept.every((one) => given.some((other) => isDeepStrictEqual(other, one)))
  )
}

const variantsOf = (packet: Packet): string[] =>
  [{ ...packet, others: [] }, ...packet.others].map((one) => canonicalText(one))

const admit = (wire: DocContract): Contract => admitContract(wire, { now: at(60), repoIds: ['r1', 'r2'] })
const rank = (one: DocContract): string => `${one.version} ${parseStamp(one.updated_at) as Stamp}`
