import { describe, expect, test } from 'vitest'
import { Aid, aidName, isAid } from '../../../src/protocol/agent/aid.ts'
import { MAX_AID } from '../../../src/protocol/agent/is-agent-id.ts'

describe('an AID', () => {
  test.each([
    'aid://example.com/backend-agent@1.0.0',
    'aid://localhost/x@1.0.0',
    'aid://localhost/x@1.0.0-beta.1+b',
    'aid://localhost/x@1.0.0-rc.1',
    'aid://localhost/x@10.20.30+build.7',
    'aid://Example.COM/x@1.0.0',
    'aid://127.0.0.1/a1@0.0.1',
  ])('%s is one', (text) => {
    expect(isAid(text)).toBe(true)
    expect(Aid.safeParse(text).success).toBe(true)
  })

  test.each([
    ['a name in upper case', 'aid://d/Back@1.0.0'],
    ['an underscore in the name', 'aid://d/a_b@1.0.0'],
    ['a version of two parts', 'aid://d/a@1.0'],
    ['no version', 'aid://d/a'],
    ['no domain', 'aid:///a@1.0.0'],
    ['no name', 'aid://d/@1.0.0'],
    ['a hyphen in front', 'aid://d/-a@1.0.0'],
    ['a hyphen at the end', 'aid://d/a-@1.0.0'],
    ['two hyphens in a row', 'aid://d/a--b@1.0.0'],
    ['a port', 'aid://d:80/a@1.0.0'],
    ['a user', 'aid://u@d/a@1.0.0'],
    ['a path', 'aid://d/a/b@1.0.0'],
    ['a dot in front of the domain', 'aid://.d/a@1.0.0'],
    ['another scheme', 'http://d/a@1.0.0'],
    ['something behind it', 'aid://d/a@1.0.0\n'],
    ['nothing at all', ''],
  ])('with %s is none', (_what, text) => {
    expect(isAid(text)).toBe(false)
    expect(Aid.safeParse(text).success).toBe(false)
  })

  test('may be 256 characters long and no longer', () => {
    const ofLength = (length: number) => `aid://d/${'a'.repeat(length - 'aid://d/@1.0.0'.length)}@1.0.0`
    expect(isAid(ofLength(MAX_AID))).toBe(true)
    expect(isAid(ofLength(MAX_AID + 1))).toBe(false)
    expect(Aid.safeParse(ofLength(MAX_AID + 1)).success).toBe(false)
  })
})

describe('the name of a repository as part of an AID', () => {
  test.each([
    ['backend', 'backend'],
    ['My_Repo.Name', 'my-repo-name'],
    ['--x--', 'x'],
    ['Äpfel & Birnen', 'pfel-birnen'],
    ['日本', 'agent'],
    ['', 'agent'],
    ['a'.repeat(100), 'a'.repeat(63)],
    [`${'a'.repeat(62)}-b`, 'a'.repeat(62)],
  ])('%s', (text, expected) => {
    expect(aidName(text, 'agent')).toBe(expected)
    expect(isAid(`aid://localhost/${aidName(text, 'agent')}@1.0.0`)).toBe(true)
  })
})
