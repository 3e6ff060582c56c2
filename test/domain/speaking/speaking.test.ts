import { expect, test } from 'vitest'
import { speakIn } from '../../../src/domain/speaking/speaking.ts'
import { release } from '../../../src/domain/statements/release.ts'
import { title } from '../../../src/domain/statements/title.ts'
import type { ProjectView } from '../../../src/domain/view.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { at } from '../statements/at.ts'
import { Author } from '../statements/author.ts'

const author = new Author('backend')
const { id: introduction, project_id } = author.found(at(0))
const by = { project_id, introduction, since: at(0), key: author.key }
const env = { now: at(1), newNonce: () => 'A'.repeat(22) }

const afterSaying = (volume: { count: number; bytes: number }) =>
  speakIn(
    {
      newestAbout: () => undefined,
      said: { volumeOf: () => volume, newestBy: () => at(30) } as unknown as ProjectView['said'],
    },
    by,
    env,
  )

const renamed = { about: project_id, body: { field: 'name', value: 'Auth' } } as const

test.each([
  { count: LIMITS.keyStatements, bytes: 0 },
  { count: 1, bytes: LIMITS.keyBytes },
])(
  'a key that has said %j says nothing more that others would not take, except that it gives way',
  (volume) => {
    const speak = afterSaying(volume)
    expect(() => speak(title, renamed)).toThrow('nearly all that others take')
    expect(speak(release, { about: project_id, body: {} })).toMatchObject({ kind: 'release' })
  },
)

test('a key that has said less says what it likes', () => {
  expect(afterSaying({ count: 10, bytes: 10_000 })(title, renamed)).toMatchObject({ kind: 'title' })
})

test('a key gives way after all that it has said, which may be ahead of its clock', () => {
  const speak = afterSaying({ count: 10, bytes: 10_000 })
  expect(speak(release, { about: project_id, body: {} }).at).toBe(at(30, 1))
  expect(speak(title, renamed).at).toBe(env.now)
})
