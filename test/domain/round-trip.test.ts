import fc from 'fast-check'
import { expect, test } from 'vitest'
import { admitContract, admitPacket, admitProject, admitRepo } from '../../src/domain/admit.ts'
import { renderContract, renderPacket, renderProject, renderRepo } from '../../src/domain/render.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'
import { anyContract, anyPacket, anyProject, anyRepo } from './arbitraries.ts'
import { at, project, repo, throughJson, viewOf } from './builders.ts'

/** What one cacpd sends, another can rebuild to the last byte. */

const now = at(60)
const RUNS = { numRuns: 2_000 }

test('a project survives the way over the wire', () => {
  survives(anyProject, (value) => admitProject(throughJson(renderProject(viewOf({ project: value }))), now))
})

test('a repo survives the way over the wire', () => {
  survives(anyRepo, (value) =>
    admitRepo(throughJson(renderRepo(value, project())), { now, local: undefined }),
  )
})

test('a contract survives the way over the wire', () => {
  survives(anyContract, (value) =>
    admitContract(throughJson(renderContract(value)), { now, repoIds: ['not-a-party'] }),
  )
})

test('a packet survives the way over the wire', () => {
  survives(anyPacket, (value) => admitPacket(throughJson(renderPacket(value)), now))
})

test('a repo that came without any times can be passed on to the next daemon', () => {
  const fromReference = admitRepo({ repo_id: 'r1', name: 'backend' }, { now, local: undefined })
  const passedOn = admitRepo(throughJson(renderRepo(fromReference, project())), { now, local: repo() })
  expect(passedOn).toEqual(fromReference)
})

function survives<T>(anyState: fc.Arbitrary<T>, overTheWire: (value: T) => T): void {
  fc.assert(
    fc.property(anyState, (value) => canonicalText(overTheWire(value)) === canonicalText(value)),
    RUNS,
  )
}
