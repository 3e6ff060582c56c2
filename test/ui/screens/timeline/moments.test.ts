import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FeedEvent } from '../../../../src/domain/feed/feed.ts'
import { EXAMPLE } from '../../../../src/methods/row.ts'
import { momentsOf } from '../../../../src/ui/screens/timeline/moments.ts'
import { plainSentence } from '../../../../src/ui/text/sentence.ts'

const LATER = '2026-11-16T10:00:00.000000Z'
const by = { statement: 's1', agent_id: 'aid://example.com/backend@1.0.0', proof: 'signed' }

const event = (kind: FeedEvent['kind'], value: object): FeedEvent => ({
  cursor: 'c.1',
  kind,
  projectId: 'p1',
  id: 'e1',
  at: LATER,
  value: value as FeedEvent['value'],
})
const told = (kind: FeedEvent['kind'], value: object): string[] =>
  momentsOf(event(kind, value)).map(({ sentence }) => plainSentence(sentence))

const packet = (type: string, content: object, more: object = {}) => ({
  packet_id: 'k1',
  from_repo: 'r1',
  from_agent: by.agent_id,
  timestamp: LATER,
  type,
  content,
  related_contracts: ['c1'],
  reply_to: null,
  by,
  ...more,
})

describe('what a contract tells of its past', () => {
  test('is every version, answer, work and verification, each with its author and time', () => {
    const revision = { ...EXAMPLE.contract.head, proposed_by: 'r1', content: {} }
    const contract = {
      ...EXAMPLE.contract,
      version: 2,
      head: {
        ...EXAMPLE.contract.head,
        revision: 'v2',
        change_notes: 'email may be missing',
        timestamp: LATER,
      },
      history: [{ ...revision, version: 1, revision: 'v1' }],
      responses: [
        {
          response_id: 'a1',
          revision: 'v1',
          version: 1,
          repo_id: 'r2',
          agent_id: 'x',
          action: 'request_change',
          comment: 'and the email?',
          suggested_change: null,
          timestamp: LATER,
          by: { ...by, by_person: true },
        },
      ],
      implementations: [
        {
          repo_id: 'r1',
          status: 'complete',
          started_at: EXAMPLE.time,
          completed_at: LATER,
          revision: 'v2',
          by,
        },
      ],
      verifications: [
        {
          verification_id: 'w1',
          revision: 'v2',
          repo_id: 'r2',
          result: 'failure',
          notes: '',
          timestamp: LATER,
          by,
        },
      ],
    }
    expect(told('contract', contract)).toEqual([
      'proposed version 2 of «Get User Profile»: «email may be missing»',
      'proposed «Get User Profile»',
      'asked for a change of «Get User Profile»: «and the email?»',
      'began to implement version 2 of «Get User Profile»',
      'completed its part of version 2 of «Get User Profile»',
      'found that this does not work: version 2 of «Get User Profile»',
    ])
    const moments = momentsOf(event('contract', contract))
    expect(new Set(moments.map(({ key }) => key)).size).toBe(moments.length)
    expect(moments.find(({ key }) => key === 'a1')).toMatchObject({
      repoId: 'r2',
      isByPerson: true,
      at: LATER,
    })
    expect(moments.find(({ key }) => key === 'v1')).toMatchObject({ isByPerson: false, at: EXAMPLE.time })
  })

  test('names a version once that is both history and a conflict, and says what ends or settles', () => {
    const revision = { ...EXAMPLE.contract.head, proposed_by: 'r1', content: {}, version: 1, revision: 'v1' }
    const contract = {
      ...EXAMPLE.contract,
      version: 3,
      head: { ...EXAMPLE.contract.head, revision: 'v3', retire: true },
      history: [revision, { ...revision, version: 2, revision: 'v2', resolves: ['v1b'] }],
      conflicts: [revision],
    }
    expect(told('contract', contract)).toEqual([
      'proposed to end version 3 of «Get User Profile»',
      'proposed «Get User Profile»',
      'settled a conflict by version 2 of «Get User Profile»',
    ])
  })
})

describe('what context tells', () => {
  test('is what was asked, decided, said or shared, in quotes', () => {
    expect([
      ...told('packet', packet('question', { question: 'JWT or cookies?' })),
      ...told('packet', packet('question', { question: 'the schema', wants: 'file' })),
      ...told('packet', packet('decision', { chosen: 'JWT', decision: 'tokens' })),
      ...told('packet', packet('api_spec', { message: 'look here' })),
      ...told('packet', packet('api_spec', { message: 'thanks' }, { reply_to: 'k0' })),
      ...told('packet', packet('dependency_info', { answer: 'JWT' }, { reply_to: 'k0' })),
      ...told('packet', packet('api_spec', {}, { reply_to: 'k0' })),
      ...told('packet', packet('code_snippet', { file: 'auth/jwt.py' })),
      ...told('packet', packet('env_config', { file: { name: '.env.example' } })),
      ...told('packet', packet('decision', {}, { redacted: { by: 'x', at: LATER, reason: '' } })),
    ]).toEqual([
      'asked «JWT or cookies?»',
      'asked for a file «the schema»',
      'decided «JWT»',
      'said «look here»',
      'replied «thanks»',
      'answered a question with «JWT»',
      'replied with api spec',
      'shared code snippet «auth/jwt.py»',
      'shared env config «.env.example»',
      'said something that was removed since',
    ])
  })

  test('is a sentence of bounded length, whatever the content is', () => {
    const types = fc.constantFrom('question', 'decision', 'error_catalog')
    fc.assert(
      fc.property(
        types,
        fc.dictionary(fc.constantFrom('question', 'chosen', 'message', 'answer', 'file'), fc.anything()),
        (type, content) => {
          const [moment] = momentsOf(event('packet', packet(type, content)))
          expect(moment?.sentence.length).toBeGreaterThan(0)
          expect(plainSentence(moment?.sentence ?? []).length).toBeLessThan(300)
        },
      ),
    )
    expect(told('packet', packet('decision', { chosen: 'x'.repeat(20_000) }))[0]?.length).toBeLessThan(300)
  })
})

describe('what projects and their members tell', () => {
  test('is who created, joined, left and archived', () => {
    const claim = {
      claim_id: 'k1',
      agent_id: 'agent a',
      claimed_at: EXAMPLE.time,
      released_at: null,
      standing: 'holds',
    }
    const project = { project_id: 'p1', name: 'Shop', created_at: EXAMPLE.time, created_by: 'agent a' }
    expect([
      ...told('repo', { repo_id: 'r1', claims: [claim, { ...claim, claim_id: 'k0', released_at: LATER }] }),
      ...told('project', project),
      ...told('project', { ...project, archived_by: { repo_id: 'r1', agent_id: 'agent a', at: LATER } }),
      ...told('repo', { gone: true, id: 'r1' }),
      ...told('contract', { gone: true, id: 'c1' }),
      ...told('receipt', { id: 'c1', seen: [] }),
    ]).toEqual([
      'joined',
      'was left by its agent «agent a»',
      'joined',
      'created the project «Shop»',
      'archived the project «Shop»',
      'created the project «Shop»',
      'was removed from the project',
    ])
  })
})
