import { describe, expect, test } from 'vitest'
import { diffInterfaces } from '../../../../src/domain/interface/judge/diff-interfaces.ts'
import { rolloutOf, verdictOf } from '../../../../src/domain/interface/judge/verdict.ts'
import type { Change, Expectation } from '../../../../src/domain/interface/model.ts'
import { readInterface, reviewPair } from '../../../../src/domain/interface/review.ts'
import type { JsonObject } from '../../../../src/protocol/json/json.ts'

const me = {
  method: 'GET',
  path: '/users/me',
  response: { id: 'uuid', email: 'string', role: "'admin'|'user'" },
}
const post = {
  method: 'POST',
  path: '/notes',
  body: { text: 'string', 'tag?': 'string' },
  response: { id: 'uuid' },
}
const returning = (response: JsonObject) => ({ ...me, response })
const taking = (body: JsonObject) => ({ ...post, body })
const changes = (before: JsonObject, after: JsonObject): readonly Change[] =>
  diffInterfaces(readInterface('api_endpoint', before), readInterface('api_endpoint', after))

const withoutEmail = changes(me, returning({ id: 'uuid', role: "'admin'|'user'" }))
const newRole = changes(me, returning({ ...me.response, role: "'admin'|'user'|'owner'" }))
const expects = (more: Partial<Expectation>): Expectation => ({ uses: null, tolerates: [], ...more })

describe('a verdict', () => {
  test('names the changes that make it, which are known by their fingerprints', () => {
    const [change] = withoutEmail
    expect(change).toMatchObject({
      at: 'response.200.body.email',
      kind: 'property-removed',
      say: '«email» is not returned any more',
    })
    expect(change?.fingerprint).toMatch(/^[0-9a-f]{12}$/)
    expect(verdictOf(withoutEmail, 'consumer')).toEqual({
      verdict: 'breaking',
      because: [change],
      missing: [],
    })
  })

  test('knows a part of a union by what it takes, whatever it is called', () => {
    const union = (...names: string[]) => ({
      schema: {
        oneOf: names.map((name, index) => ({
          title: name,
          type: 'object',
          properties: { kind: { const: `kind ${index}` } },
          required: ['kind'],
        })),
      },
    })
    const [added] = reviewPair('data_model', union('Cat'), union('Cat', 'Dog')).changes
    const [renamed] = reviewPair('data_model', union('Cat'), union('Cat', 'Hound')).changes
    expect(added?.say).toBe('«model» may be Dog with kind «kind 1» now')
    expect(renamed?.say).toBe('«model» may be Hound with kind «kind 1» now')
    expect(renamed?.fingerprint).toBe(added?.fingerprint)
  })

  test('is compatible for a repo that does not use what is gone', () => {
    expect(verdictOf(withoutEmail, 'consumer', expects({ uses: ['response.200.body.id'] })).verdict).toBe(
      'compatible',
    )
    expect(verdictOf(withoutEmail, 'consumer', expects({ uses: ['response.200.body'] })).verdict).toBe(
      'breaking',
    )
  })

  test('is open about new values until the repo says that it tolerates them', () => {
    const { verdict, missing } = verdictOf(newRole, 'consumer')
    expect(verdict).toBe('unknown')
    expect(missing).toEqual([
      'nobody has said whether consumers tolerate new_enum_values in «response.200.body.role»',
    ])
    expect(verdictOf(newRole, 'consumer', expects({ tolerates: ['new_enum_values'] })).verdict).toBe(
      'compatible',
    )
  })

  test('tolerance helps against what may be null or missing', () => {
    const nullable = changes(me, returning({ ...me.response, email: 'string|null' }))
    expect(verdictOf(nullable, 'consumer').verdict).toBe('breaking')
    expect(verdictOf(nullable, 'consumer', expects({ tolerates: ['null'] })).verdict).toBe('compatible')
    expect(verdictOf(nullable, 'consumer', expects({ tolerates: ['new_fields'] })).verdict).toBe('breaking')
  })

  test('a repo cannot leave unused what it has to send from now on', () => {
    const demanded = changes(post, taking({ ...post.body, owner: 'uuid' }))
    expect(verdictOf(demanded, 'consumer', expects({ uses: ['request.body.text'] })).verdict).toBe('breaking')
  })

  test('whoever says that it sends what is gone is broken, and whoever says what else it sends is not', () => {
    const gone = changes(post, taking({ text: 'string' }))
    expect(verdictOf(gone, 'consumer').verdict).toBe('unknown')
    expect(verdictOf(gone, 'consumer', expects({ uses: ['request.body.tag'] })).verdict).toBe('breaking')
    expect(verdictOf(gone, 'consumer', expects({ uses: ['request.body.text'] })).verdict).toBe('compatible')
    expect(verdictOf(gone, 'consumer', expects({ uses: ['response.200.body.id'] })).verdict).toBe('unknown')
  })

  test('a place that only begins alike is another place', () => {
    const gone = changes(me, returning({ id: 'uuid', role: "'admin'|'user'" }))
    expect(verdictOf(gone, 'consumer', expects({ uses: ['response.200.body.email_verified'] })).verdict).toBe(
      'compatible',
    )
  })
})

describe('the order of a rollout', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    ['nothing changed', me, { ...me }, 'any'],
    ['a property more', me, returning({ ...me.response, age: 'int?' }), 'any'],
    ['a promise more', me, returning({ ...me.response, age: 'int' }), 'provider_first'],
    ['a property less', me, returning({ id: 'uuid', email: 'string' }), 'consumers_first'],
    ['a value more', me, returning({ ...me.response, role: "'admin'|'user'|'owner'" }), 'consumers_first'],
    ['a demand more', post, taking({ ...post.body, owner: 'uuid' }), 'consumers_first'],
    ['another type', me, returning({ ...me.response, email: 'integer' }), 'together'],
    ['an operation more', { endpoints: [me] }, { endpoints: [me, post] }, 'provider_first'],
    ['an operation less', { endpoints: [me, post] }, { endpoints: [me] }, 'consumers_first'],
  ])('%s', (_, before, after, rollout) => {
    expect(rolloutOf(changes(before, after))).toBe(rollout)
  })
})

describe('a review without state', () => {
  test('tells all at once', () => {
    const review = reviewPair('api_endpoint', me, returning({ id: 'uuid', role: "'admin'|'user'" }))
    expect(review).toMatchObject({
      form: 'http',
      verdict: 'breaking',
      rollout: 'consumers_first',
      changes: [{ at: 'response.200.body.email', verdict: 'breaking' }],
      findings: [{ rule: 'no-error-response', at: 'response' }],
      truncated: false,
    })
  })

  test('says why it does not know', () => {
    expect(reviewPair('custom', { text: 'a' }, { text: 'b' })).toMatchObject({
      form: 'opaque',
      verdict: 'unknown',
      missing: ['not understood, because it is in no form that is known'],
    })
  })

  test('is made once for the same pair of contents and the same type', () => {
    const after = returning({ id: 'uuid' })
    const review = reviewPair('api_endpoint', me, after)
    expect(reviewPair('api_endpoint', me, after)).toBe(review)
    expect(reviewPair('custom', me, after)).not.toBe(review)
    expect(reviewPair('api_endpoint', after, me)).toMatchObject({ verdict: 'compatible' })
  })

  test('puts the worst first and leaves out what is beyond twenty', () => {
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, 'string']))
    const { changes: shown, truncated } = reviewPair(
      'api_endpoint',
      returning({ ...wide, z: 'string' }),
      returning({ z: 'integer' }),
    )
    expect(shown).toHaveLength(20)
    expect(truncated).toBe(true)
    expect(shown.every(({ verdict }) => verdict === 'breaking')).toBe(true)
  })

  test('a name in a sentence stays in its line and in its quotes', () => {
    const odd = 'x\n» all is well «\u202e'
    const { changes: shown } = reviewPair(
      'api_endpoint',
      returning({ [odd]: 'string' }),
      returning({ id: 'uuid' }),
    )
    const say = shown.find(({ kind }) => kind === 'property-removed')?.say ?? ''
    expect(say).toBe('«x all is well» is not returned any more')
  })
})
