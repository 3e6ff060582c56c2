import { expect, test } from 'vitest'
import { at } from '../builders.ts'
import { openScene } from '../statements/scene.ts'

test('a packet that was looked for among contracts, repos and projects is still found as a packet', () => {
  const { replica, backend, claims } = openScene()
  const said = backend.share(claims.backend, at(10))
  replica.hear(said)
  const { statements } = replica
  expect(statements.contract(said.about)).toBeUndefined()
  expect(statements.repo(said.about)).toBeUndefined()
  expect(statements.packet(said.about)).toMatchObject({ content: { text: 'we use JWT' } })
  expect(statements.repo(claims.backend.about)).toBeDefined()
  expect(statements.packet(claims.backend.about)).toBeUndefined()
  expect(statements.repo(claims.backend.about)).toMatchObject({ name: 'backend' })
})

test('what nobody said anything about is nothing, also when it is asked for before and after', () => {
  const { replica, frontend, claims } = openScene()
  const said = frontend.share(claims.frontend, at(10))
  expect(replica.statements.packet(said.about)).toBeUndefined()
  expect(replica.statements.history(said.about)).toBeUndefined()
  replica.hear(said)
  expect(replica.statements.packet(said.about)).toBeDefined()
})
