import { expect, test } from 'vitest'
import { sessionName } from '../../../src/domain/names/session-name.ts'

test.each([
  ['nothing', {}, undefined],
  ['nothing in it', { CACP_SESSION: ' ', CLAUDE_CODE_SESSION_ID: '', CODEX_THREAD_ID: undefined }, undefined],
  [
    'Claude Code',
    { CLAUDE_CODE_SESSION_ID: '4721a313-bd20-426e-b9c5-24ebcb598a52' },
    'Claude Code session 24ebcb598a52',
  ],
  ['Codex', { CODEX_THREAD_ID: '019b2f0a-7c1d-7a02-9e1b-4c8f2d6a0b35' }, 'Codex thread 4c8f2d6a0b35'],
  ['a word of one’s own before all', { CACP_SESSION: 'the tests', CLAUDE_CODE_SESSION_ID: 'x' }, 'the tests'],
  ['an id that would break a name', { CODEX_THREAD_ID: 'a\n\u202eb c' }, 'Codex thread abc'],
])('a session is told from others by %s', (_by, env, name) => {
  expect(sessionName(env)).toBe(name)
})
