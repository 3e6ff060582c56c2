import fc from 'fast-check'
import { expect, test } from 'vitest'
import { admitContract, admitPacket, admitProject, admitRepo } from '../../src/domain/admit.ts'
import { contractChange, repoChange } from '../../src/domain/change.ts'
import { renderContract, renderPacket, renderProject, renderRepo } from '../../src/domain/render.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'
import { Fault } from '../../src/protocol/fault.ts'
import { agreed, at, implemented, project, repo, throughJson } from './builders.ts'
import { type Choice, OPERATIONS, type Operation, perform, type Trace } from './operations.ts'
import { Replica } from './replica.ts'

/**
 * Three daemons with clocks that disagree do whatever members of a project do, hear of each other now and
 * then, and at the end hear everything.
 */

interface Step extends Choice {
  who: number
  whom: number
  hears: boolean
  seconds: number
}

/** One that two repos have to work on, one for a single repo, and one that waits to be verified. */
const AT_FIRST = [
  { ...agreed(), parties: ['r0', 'r1'] },
  { ...agreed(), contract_id: 'c2', parties: ['r0'] },
  { ...implemented(), contract_id: 'c3' },
]

const anyStep: fc.Arbitrary<Step> = fc.record({
  who: fc.nat(2),
  whom: fc.nat(2),
  hears: fc.boolean(),
  operation: fc.constantFrom(
    ...OPERATIONS,
    ...OPERATIONS.filter((one) => one === 'start' || one === 'complete' || one === 'verify'),
    ...OPERATIONS.filter((one) => one === 'complete' || one === 'verify'),
  ),
  choice: fc.nat(5),
  seconds: fc.constantFrom(0, 0, 1, 3),
})
const anySkew = fc.integer({ min: -60, max: 60 })
const anyStory = fc.record({
  skews: fc.tuple(anySkew, anySkew, anySkew),
  steps: fc.array(anyStep, { minLength: 20, maxLength: 50, size: 'max' }),
})

test('whatever three replicas do, they end byte-equal with every operation on record', () => {
  const done = new Map<Operation, number>()
  fc.assert(
    fc.property(anyStory, ({ skews, steps }) => {
      const replicas = skews.map(
        (second, index) => new Replica(`r${index}`, { project: project(), second: second + 100 }),
      )
      for (const replica of replicas) {
        for (const { name } of replicas) replica.apply(repoChange('p1', repo({ repo_id: name, name })))
        for (const contract of AT_FIRST) replica.apply(contractChange('p1', contract))
      }
      const traces: Trace[] = []
      let count = 0
      for (const step of steps) {
        const [replica, other] = [replicas[step.who], replicas[step.whom]]
        if (replica === undefined || other === undefined) continue
        replica.wait(step.seconds)
        if (step.hears) replica.hear(other)
        else {
          const trace = attempt(() => perform(replica, step, `step-${count++}`))
          if (trace === undefined) continue
          traces.push(trace)
          done.set(step.operation, (done.get(step.operation) ?? 0) + 1)
        }
        expectLossless(replica)
      }
      const rounds = hearUntilQuiet(replicas)
      expect(rounds).toBeLessThanOrEqual(3)
      for (const replica of replicas) {
        expect(replica.text).toBe(replicas[0]?.text)
        expect(traces.filter((isThere) => !isThere(replica))).toEqual([])
      }
    }),
    { numRuns: 80 },
  )
  for (const operation of OPERATIONS) expect(done.get(operation) ?? 0, operation).toBeGreaterThan(0)
}, 120_000)

/** Members are refused things all the time; that changes nothing and leaves nothing to find. */
function attempt(act: () => Trace | undefined): Trace | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'conflict') return undefined
    throw error
  }
}

function hearUntilQuiet(replicas: Replica[]): number {
  for (let round = 1; ; round++) {
    let news = 0
    for (const replica of replicas)
      for (const other of replicas) if (replica !== other && replica.hear(other)) news++
    if (news === 0 || round > 10) return round
  }
}

function expectLossless(replica: Replica): void {
  const now = at(10_000)
  const same = (sent: unknown, kept: unknown) => expect(canonicalText(sent)).toBe(canonicalText(kept))
  same(admitProject(throughJson(renderProject(replica.view)), now), replica.project)
  for (const one of replica.repos.values())
    same(admitRepo(throughJson(renderRepo(one, replica.project)), { now, local: undefined }), one)
  for (const one of replica.contracts.values())
    same(admitContract(throughJson(renderContract(one)), { now, repoIds: [] }), one)
  for (const one of replica.packets.values()) same(admitPacket(throughJson(renderPacket(one)), now), one)
}
