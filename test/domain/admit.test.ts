import { describe, expect, test } from 'vitest'
import { admitContract, admitPacket, admitProject, admitRepo } from '../../src/domain/admit.ts'
import { mergeContract, mergePacket, mergeRepo } from '../../src/domain/merge.ts'
import type { Contract } from '../../src/domain/model.ts'
import { activeClaim } from '../../src/domain/repo.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import { at, packet, project, repo, update } from './builders.ts'
import { docContract, docPacket, docProject, docRepo, docVersion, headContent, NEWS } from './doc-objects.ts'

/** What a hostile or broken peer may send: refused with the field's name, never corrected. */

const now = at(60)
const contract = (wire: unknown): Contract => admitContract(wire, { now, repoIds: ['r1', 'r2'] })
const refusal = (kind: string, message: string | RegExp) =>
  expect.objectContaining({ kind, message: expect.stringMatching(message) })

describe('a version', () => {
  test.each([
    ['2^53', 2 ** 53],
    ['infinite', Number.POSITIVE_INFINITY],
    ['1e999 as JSON reads it', JSON.parse('1e999') as number],
    ['a text', '9'],
    ['a fraction', 1.5],
    ['negative', -1],
    ['zero', 0],
    ['missing', undefined],
    ['null', null],
  ])('that is %s is refused', (_what, version) => {
    expect(() => contract(docContract({ version }))).toThrow(refusal('invalid_params', /^contract\.version:/))
  })

  test.each([
    [2, []],
    [3, [docVersion(1)]],
    [3, [docVersion(1), { ...docVersion(1), content: {} }]],
    [7, [docVersion(1), docVersion(2)]],
  ])('%i with the history %j is more than it can explain, and asks for the history', (version, history) => {
    expect(() => contract(docContract({ version, history }))).toThrow(
      expect.objectContaining({ kind: 'invalid_params', next: expect.stringContaining('history') }),
    )
  })

  test('in the history is checked in the same way', () => {
    const history = [{ ...docVersion(1), version: '1' }]
    expect(() => contract(docContract({ version: 2, history }))).toThrow(
      refusal('invalid_params', /^contract\.history\.0\.version:/),
    )
  })

  test('below one of its own history is refused', () => {
    const history = [docVersion(1), docVersion(2), docVersion(3)]
    expect(() => contract(docContract({ version: 2, history }))).toThrow(refusal('invalid_params', /older/))
  })

  test('with its whole history is taken', () => {
    const taken = contract(docContract({ version: 3, history: [docVersion(1), docVersion(2)] }))
    expect(taken.revisions.map((one) => one.version)).toEqual([1, 2, 3])
  })

  test('refused leaves room: a normal update afterwards wins', () => {
    const local = contract(docContract())
    expect(() => contract(docContract({ version: 2 ** 53, content: { evil: true } }))).toThrow()
    expect(headContent(mergeContract(local, update(local, NEWS, at(50))).value)).toEqual(NEWS)
  })
})

describe('a stamp in the year 9999 is refused until the clock gets there', () => {
  const future = '9999-12-31T23:59:59'
  const later = (act: () => unknown) => expect(act).toThrow(refusal('unavailable', /ahead of the clock/))
  const hash = 'a'.repeat(64)
  const response = {
    response_id: 'a1',
    revision: hash,
    version: 1,
    repo_id: 'r1',
    agent_id: 'a',
    action: 'agree',
    comment: '',
    suggested_change: null,
    timestamp: future,
  }
  const verification = {
    verification_id: 'v1',
    revision: hash,
    repo_id: 'r1',
    agent_id: 'a',
    result: 'success',
    notes: '',
    failure_details: null,
    judged: [],
    timestamp: future,
  }
  const claim = { agent_id: 'a', claimed_at: '2026-01-01T00:00:01', released_at: null, agent_endpoint: null }

  test.each([
    ['the contract', { updated_at: future }],
    ['its creation', { created_at: future }],
    ['a past version', { version: 2, history: [{ ...docVersion(1), timestamp: future }] }],
    ['the status of the head', { head: { timestamp: '2026-01-01T00:00:01', base_at: future } }],
    ['an answer', { responses: [response] }],
    ['work', { implementations: [{ repo_id: 'r1', status: 'complete', completed_at: future }] }],
    ['a verification', { verifications: [verification] }],
  ])('in a contract: %s', (_what, given) => later(() => contract(docContract(given))))

  test.each([
    ['the description', { described_at: future }],
    ['a claim', { claims: [{ ...claim, claimed_at: future, endpoint_at: '2026-01-01T00:00:01' }] }],
    ['an endpoint', { claims: [{ ...claim, endpoint_at: future }] }],
    ['a release', { claims: [{ ...claim, released_at: future, endpoint_at: '2026-01-01T00:00:01' }] }],
  ])('in a repo: %s', (_what, given) => later(() => admitRepo(docRepo(given), { now, local: undefined })))

  test.each([
    ['the packet', { timestamp: future }],
    ['a redaction', { redacted: { by: 'a', at: future, reason: '' } }],
    ['another packet behind it', { others: [docPacket({ timestamp: future })] }],
  ])('in a packet: %s', (_what, given) => later(() => admitPacket(docPacket(given), now)))

  test('in a project', () => later(() => admitProject(docProject({ updated_at: future }), now)))

  test('but a clock that is five minutes ahead is let be', () => {
    const ahead = (seconds: number) => admitPacket(docPacket({ timestamp: at(60 + seconds) }), now)
    expect(ahead(LIMITS.clockAheadSeconds).timestamp).toBe(at(360))
    expect(() => ahead(LIMITS.clockAheadSeconds + 1)).toThrow(refusal('unavailable', /ahead/))
  })
})

describe('a time that is none is refused by name', () => {
  test.each(['yesterday', '', '2026-02-30T00:00:00', '2026-13-01T00:00:00', 5, null])('%j', (time) => {
    expect(() => admitPacket(docPacket({ timestamp: time }), now)).toThrow(
      refusal('invalid_params', /^packet\.timestamp:/),
    )
  })
})

describe('an id', () => {
  const BAD = ['../x', '/etc/passwd', 'a/b', 'a\\b', '.hidden', '', 'x'.repeat(129), 'a b', 'a\u0000']
  test.each([...BAD, '__proto__', 'constructor', 'prototype', 7, null])('%j is refused everywhere', (id) => {
    const refused = refusal('invalid_params', /_id:/)
    expect(() => admitProject(docProject({ project_id: id }), now)).toThrow(refused)
    expect(() => admitRepo(docRepo({ repo_id: id }), { now, local: undefined })).toThrow(refused)
    expect(() => contract(docContract({ contract_id: id }))).toThrow(refused)
    expect(() => admitPacket(docPacket({ packet_id: id }), now)).toThrow(refused)
  })

  test('of a reply, a party and a related contract is checked too', () => {
    expect(() => admitPacket(docPacket({ reply_to: '../x' }), now)).toThrow(
      refusal('invalid_params', /reply_to/),
    )
    expect(() => contract(docContract({ parties: ['../x'] }))).toThrow(
      refusal('invalid_params', /parties\.0/),
    )
    expect(() => admitPacket(docPacket({ related_contracts: ['__proto__'] }), now)).toThrow(
      refusal('invalid_params', /related_contracts\.0/),
    )
  })
})

describe('content', () => {
  test.each([[[1]], ['text'], [7], [null], [undefined]])(
    '%j is refused, because it is no object',
    (content) => {
      expect(() => contract(docContract({ content }))).toThrow(
        refusal('invalid_params', /^contract\.content:/),
      )
    },
  )

  test('over 262144 characters is refused', () => {
    const content = { text: 'x'.repeat(LIMITS.contentLength) }
    expect(() => admitPacket(docPacket({ content }), now)).toThrow(
      refusal('invalid_params', /262144 characters/),
    )
  })
})

test.each([[null], [undefined], [7], ['text'], [[]]])('%j is not an entity', (wire) => {
  expect(() => contract(wire)).toThrow(refusal('invalid_params', /^contract/))
  expect(() => admitProject(wire, now)).toThrow(refusal('invalid_params', /^project/))
})

describe('a claim dated 1970', () => {
  test('is kept and never wins', () => {
    const wire = docRepo({
      claims: [
        {
          agent_id: 'thief',
          claimed_at: '1970-01-01T00:00:00',
          released_at: null,
          agent_endpoint: null,
          endpoint_at: '1970-01-01T00:00:00',
        },
      ],
    })
    const held = {
      agent_id: 'owner',
      claimed_at: at(5),
      released_at: null,
      endpoint: { value: null, at: at(5) },
    }
    const { value } = mergeRepo(repo({ claims: [held] }), admitRepo(wire, { now, local: undefined }))
    expect(activeClaim(value, project())?.agent_id).toBe('owner')
  })
})

describe('a packet id that is used twice', () => {
  test('keeps both packets, the newer in front', () => {
    const { value } = mergePacket(packet(), admitPacket(docPacket({ content: { other: true } }), now))
    expect(value.content).toEqual({ other: true })
    expect(value.others.map((one) => one.content)).toEqual([packet().content])
  })

  test('cannot smuggle in a packet of another id', () => {
    expect(() => admitPacket(docPacket({ others: [docPacket({ packet_id: 'k2' })] }), now)).toThrow(
      refusal('invalid_params', /^packet\.others/),
    )
  })

  test('comes into stored order whatever order the sender wrote', () => {
    const newer = docPacket({ timestamp: '2026-01-01T00:00:30', content: { newer: true } })
    const taken = admitPacket(docPacket({ others: [newer, newer] }), now)
    expect(taken.content).toEqual({ newer: true })
    expect(taken.others).toHaveLength(1)
    expect(mergePacket(taken, taken).changed).toBe(false)
  })

  test('with a redaction among the others is redacted', () => {
    const redacted = docPacket({ content: {}, redacted: { by: 'a', at: '2026-01-01T00:00:30', reason: '' } })
    expect(admitPacket(docPacket({ others: [redacted] }), now)).toMatchObject({
      content: {},
      redacted: { by: 'a' },
      others: [],
    })
  })
})

test('what a sender lists twice is taken once', () => {
  const answer = {
    response_id: 'a1',
    revision: 'a'.repeat(64),
    version: 1,
    repo_id: 'r1',
    agent_id: 'a',
    action: 'agree',
    comment: '',
    suggested_change: null,
    timestamp: '2026-01-01T00:00:02',
  }
  const twice = contract(docContract({ responses: [answer, answer], parties: ['r1', 'r1'] }))
  expect(twice.responses).toHaveLength(1)
  expect(mergeContract(twice, twice).changed).toBe(false)
})

test('a revision id on the wire does not count: it is computed', () => {
  const forged = contract(
    docContract({ head: { revision: 'f'.repeat(64), timestamp: '2026-01-01T00:00:05' } }),
  )
  expect(forged.revisions[0]?.id).toBe(contract(docContract()).revisions[0]?.id)
})
