import { describe, expect, test } from 'vitest'
import {
  digestSubject,
  factSubjects,
  isInProject,
  registerSubjects,
  subjectOf,
  subjectsIn,
  tokenOf,
} from '../../../src/domain/hub/subject.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { openScene } from '../statements/scene.ts'

const FACT = openScene().story[0] as Statement
const described = (more: Partial<Statement>): Statement => ({
  ...FACT,
  kind: 'description',
  about: 'a.repo',
  under: 'ab'.repeat(32),
  body: {},
  ...more,
})

/** Whether a subject is among those that a reader named, as a hub decides it. */
const matches = (pattern: string, subject: string): boolean => {
  const [wanted, given] = [pattern.split('.'), subject.split('.')]
  return (
    wanted.length === given.length && wanted.every((token, index) => token === '*' || token === given[index])
  )
}

describe('a token of a subject', () => {
  test.each([
    ['kept-as_it_is-09', 'kept-as_it_is-09'],
    ['aid://example.com/backend@1.0.0', 'aid=3A=2F=2Fexample=2Ecom=2Fbackend=401=2E0=2E0'],
    ['ü', '=C3=BC'],
    ['a b>*', 'a=20b=3E=2A'],
    ['', '='],
  ])('%j is written as %s', (text, token) => {
    expect(tokenOf(text)).toBe(token)
  })

  test('is bounded, and differs for two long texts all the same', () => {
    const [a, b] = [tokenOf('.'.repeat(500)), tokenOf('.'.repeat(501))]
    expect(a).not.toBe(b)
    expect(a.length).toBeLessThanOrEqual(200)
  })
})

describe('the subject of a statement', () => {
  test('has five tokens for a fact and six for a register, so that streams never overlap', () => {
    const [fact, register] = [subjectOf('default', FACT), subjectOf('default', described({}))]
    expect(matches(factSubjects('default'), fact)).toBe(true)
    expect(matches(registerSubjects('default'), fact)).toBe(false)
    expect(matches(registerSubjects('default'), register)).toBe(true)
    expect(matches(factSubjects('default'), register)).toBe(false)
  })

  test('holds the key of the author of a register, and differs between two introductions of it', () => {
    const [one, other] = ['ab', 'cd'].map((digits) =>
      subjectOf('default', described({ under: digits.repeat(32) })),
    )
    expect(one).toContain(FACT.key)
    expect(one).not.toBe(other)
  })

  test('is found by the subjects of its project, and not by those of another', () => {
    const { facts, registers } = subjectsIn('default', FACT.project_id)
    expect(matches(facts, subjectOf('default', FACT))).toBe(true)
    expect(matches(registers, subjectOf('default', described({})))).toBe(true)
    expect(matches(subjectsIn('default', 'another').facts, subjectOf('default', FACT))).toBe(false)
    expect(isInProject('default', subjectOf('default', FACT), FACT.project_id)).toBe(true)
    expect(isInProject('default', subjectOf('default', FACT), 'another')).toBe(false)
  })

  test('of a project called call is not one of a call', () => {
    expect(subjectOf('default', { ...FACT, project_id: 'call' })).toMatch(/^cacp\.default\.=63all\./)
  })

  test('of a digest is a register of its project', () => {
    const subject = digestSubject('default', 'p.1')
    expect(matches(subjectsIn('default', 'p.1').registers, subject)).toBe(true)
  })
})
