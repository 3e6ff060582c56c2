import { describe, expect, test } from 'vitest'
import { absorbContract } from '../../src/domain/absorb.ts'
import { conflictsOf, headOf, statusOf } from '../../src/domain/contract.ts'
import type { Contract, Shadow } from '../../src/domain/model.ts'
import { readContract } from '../../src/domain/plain-contract.ts'
import { contractForm, ownContractForm } from '../../src/domain/plain-form.ts'
import { phraseContract } from '../../src/domain/plain-phrase.ts'
import { WireContract } from '../../src/domain/wire.ts'
import { EARLIEST } from '../../src/protocol/stamp.ts'
import {
  agreed,
  answer,
  at,
  BACKEND,
  FRONTEND,
  implemented,
  negotiating,
  proposed,
  startAndComplete,
  throughJson,
  update,
  verified,
  verify,
  viewOf,
} from './builders.ts'

type Plain = ReturnType<typeof phraseContract>

const LATER = '2026-01-01T00:05:00.000000'
const author = { agentId: 'aid://example.com/plain@1.0.0', repoId: FRONTEND }
const twoVersions = () => update(negotiating(), { path: '/you' }, at(2))

const knowing = (contract: Contract, sent: Contract | null = null): Shadow => ({
  agent_id: author.agentId,
  shown: ownContractForm(contract),
  sent: sent && ownContractForm(sent),
  at: EARLIEST,
})

/** What is here after a plain peer, which was known to hold `shadow`, shows `shown`. */
function see(local: Contract, shown: object, shadow: Shadow | undefined) {
  const given = WireContract.parse(throughJson(shown))
  const wire = readContract(given, { local, shadow, author })
  return absorbContract(viewOf({ contracts: [local] }), throughJson(wire), { now: at(400) })
}

/** As the reference holds a contract after it took it: with times of its own. */
const restamped = (contract: Contract, changes: Partial<Plain> = {}): Plain => {
  const plain = phraseContract(contract)
  const history = plain.history.map((one) => ({ ...one, timestamp: LATER }))
  return { ...plain, history, updated_at: LATER, ...changes }
}

const STAGES: [string, () => Contract][] = [
  ['proposed', proposed],
  ['negotiating', negotiating],
  ['agreed', agreed],
  ['of two versions', twoVersions],
  ['half done', () => startAndComplete(agreed(), BACKEND, at(2))],
  ['implemented', implemented],
  ['verified', verified],
  ['failed', () => verify(implemented(), 'failure', at(4))],
  ['renegotiated after work', () => update(answer(implemented(), 'request_change', at(5)), { n: 2 }, at(6))],
]

test('whoever lost its own copy finds every note beside its version in what it once sent to a plain peer', () => {
  const noted = twoVersions()
  const sent = {
    ...noted,
    revisions: noted.revisions.map((one, index) => ({
      ...one,
      change_notes: index === 0 ? '' : `why ${index}`,
    })),
  }
  const given = WireContract.parse(throughJson(restamped(sent)))
  const wire = readContract(given, { local: undefined, shadow: undefined, author })
  const { value } = absorbContract(viewOf({}), throughJson(wire), { now: at(400) })
  expect(value.revisions.map(({ change_notes }) => change_notes)).toEqual(
    sent.revisions.map(({ change_notes }) => change_notes),
  )
})

describe('a contract that a plain peer shows as it was sent, with other times', () => {
  test.each(STAGES)('%s: changes nothing', (_, make) => {
    const local = make()
    expect(see(local, restamped(local), knowing(local)).status).toBe('skipped')
  })

  test.each(STAGES)('%s: changes nothing either when it is not known what it held', (_, make) => {
    const local = make()
    expect(see(local, restamped(local), undefined).status).toBe('skipped')
  })

  test.each(STAGES)('%s: has the form that we know it by', (_, make) => {
    const local = make()
    expect(contractForm(WireContract.parse(throughJson(restamped(local))))).toEqual(ownContractForm(local))
  })

  test.each(STAGES)('%s: nothing that was done here since is taken back by it', (_, make) => {
    const local = make()
    expect(see(local, restamped(proposed()), knowing(proposed())).status).toBe('skipped')
  })

  test('what was sent without an answer is not its doing', () => {
    const local = answer(agreed(), 'request_change', at(3))
    expect(see(local, restamped(agreed()), knowing(proposed(), agreed())).status).toBe('skipped')
  })
})

describe('a status that a plain peer changed', () => {
  test.each([
    ['agrees', proposed, 'agreed', 'agreed', 'agree'],
    ['asks for a change', proposed, 'negotiating', 'negotiating', 'request_change'],
    ['rejects', agreed, 'proposed', 'negotiating', 'reject'],
    ['rejects what was verified', verified, 'proposed', 'negotiating', 'reject'],
  ] as const)('%s', (_, make, status, expected, action) => {
    const local = make()
    const { value } = see(local, restamped(local, { status }), knowing(local))
    expect(statusOf(value)).toBe(expected)
    expect(value.responses.at(-1)).toMatchObject({ action, agent_id: author.agentId, repo_id: FRONTEND })
  })

  test('counts although its clock is slow', () => {
    const local = negotiating()
    const shown = restamped(local, { status: 'agreed', updated_at: '2025-01-01T00:00:00.000000' })
    expect(statusOf(see(local, shown, knowing(local)).value)).toBe('agreed')
  })

  test('an agreement does not undo an objection that it had not seen, but is kept', () => {
    const local = negotiating()
    const { value } = see(local, restamped(proposed(), { status: 'agreed' }), knowing(proposed()))
    expect(statusOf(value)).toBe('negotiating')
    expect(value.responses.map(({ action }) => action).sort()).toEqual(['agree', 'request_change'])
  })

  test('an objection stands against an agreement that it had not seen', () => {
    const { value } = see(agreed(), restamped(proposed(), { status: 'negotiating' }), knowing(proposed()))
    expect(statusOf(value)).toBe('negotiating')
  })

  test('an agreement to the version before does not slide onto the new one', () => {
    const local = twoVersions()
    const { value } = see(local, restamped(proposed(), { status: 'agreed' }), knowing(negotiating()))
    expect(headOf(value)).toMatchObject({ version: 2, base: { value: 'proposed' } })
  })

  test('seen by two daemons, it is one answer', () => {
    const shown = restamped(proposed(), { status: 'agreed' })
    const [one, two] = [1, 2].map(() => see(proposed(), shown, knowing(proposed())).value)
    expect(one).toEqual(two)
  })
})

describe('a version that a plain peer wrote', () => {
  const updatedThere = (local: Contract, content: object) => {
    const plain = restamped(local)
    const { version, proposed_by } = plain
    const entry = { version, content: plain.content, proposed_by, timestamp: LATER, change_notes: 'theirs' }
    return {
      ...plain,
      version: version + 1,
      content,
      status: 'proposed' as const,
      proposed_by: FRONTEND,
      history: [...plain.history, entry],
    }
  }

  test('is taken with its note, and what is known keeps its own times', () => {
    const local = negotiating()
    const { value } = see(local, updatedThere(local, { path: '/x' }), knowing(local))
    expect(headOf(value)).toMatchObject({ version: 2, change_notes: 'theirs', parent: headOf(local).id })
    expect(value.revisions[0]).toEqual(local.revisions[0])
  })

  test('does not bring the work on the version before along', () => {
    const local = implemented()
    const { value } = see(local, updatedThere(local, { path: '/x' }), knowing(local))
    expect(statusOf(value)).toBe('proposed')
    expect(value.implementations).toEqual(local.implementations)
  })

  test('and one written here at the same time are both kept', () => {
    const local = twoVersions()
    const { value } = see(local, updatedThere(negotiating(), { path: '/x' }), knowing(negotiating()))
    expect(value.revisions).toHaveLength(3)
    expect(conflictsOf(value)).toHaveLength(1)
  })

  test('an older one with a newer time does not win', () => {
    const local = twoVersions()
    const { value } = see(local, restamped(proposed()), knowing(local))
    expect(value).toBe(local)
  })

  test.each([2 ** 53, 7, 0, 1.5])('%s is refused', (version) => {
    const local = proposed()
    expect(() => see(local, restamped(local, { version, content: { n: 1 } }), knowing(local))).toThrow()
  })
})

describe('work that a plain peer did', () => {
  const own = (given: object) => ({
    repo_id: FRONTEND,
    agent_id: author.agentId,
    files: ['x.py'],
    notes: '',
    plan: null,
    test_endpoint: null,
    started_at: '2026-01-01T00:01:00.000000',
    completed_at: null,
    ...given,
  })

  test('is taken as what it is about', () => {
    const local = startAndComplete(agreed(), BACKEND, at(2))
    const started = restamped(local)
    const shown = {
      ...started,
      implementations: [...started.implementations, own({ status: 'in_progress' })],
    }
    const { value } = see(local, shown, knowing(local))
    expect(value.implementations).toContainEqual(
      expect.objectContaining({
        repo_id: FRONTEND,
        status: 'in_progress',
        files: [],
        estimated_files: ['x.py'],
        revision: headOf(local).id,
      }),
    )
    const completed_at = '2026-01-01T00:02:00.000000'
    const done = { ...started, implementations: [own({ status: 'complete', completed_at })] }
    expect(statusOf(see(local, done, knowing(local)).value)).toBe('implemented')
  })

  test('a verification there is one here', () => {
    const local = implemented()
    const { value } = see(local, restamped(local, { status: 'verified' }), knowing(local))
    expect(statusOf(value)).toBe('verified')
  })

  test('a failure there makes the work here to be done again', () => {
    const local = implemented()
    const implementations = phraseContract(local).implementations.map((one) => ({
      ...one,
      status: 'needs_revision' as const,
    }))
    const { value } = see(local, restamped(local, { status: 'agreed', implementations }), knowing(local))
    expect(statusOf(value)).toBe('agreed')
    expect(value.implementations).toEqual(local.implementations)
    expect(ownContractForm(value)).toEqual(
      contractForm(WireContract.parse(throughJson(restamped(local, { status: 'agreed', implementations })))),
    )
  })

  test('lists that it shows empty erase nothing', () => {
    const local = verified()
    const { value } = see(local, restamped(local, { implementations: [], history: [] }), knowing(local))
    expect(value).toBe(local)
  })
})
