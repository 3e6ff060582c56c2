import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import { type Actor, openScene, STATES } from '../support/desk/contract-states.ts'
import { followToTheEnd, refusalOf } from '../support/desk/follow-advice.ts'

/** What is named wrongly, or belongs to somebody else, is refused with a call that goes on from there. */

const CASES: Record<string, readonly [actor: Actor, method: string, params: JsonObject]> = {
  'a suggestion that nobody made': [
    'author',
    'cacp/contract/update',
    { contractId: 'Login', acceptSuggestion: 'f'.repeat(64) },
  ],
  'to redact what is not there': [
    'author',
    'cacp/contract/redact',
    { contractId: 'Login', statementId: 'f'.repeat(64) },
  ],
  'an item that is not in the inbox': ['author', 'cacp/inbox/take', { itemId: 'answer_contract:a:b' }],
}

test.each(Object.entries(CASES))('%s', async (_what, [actor, method, params]) => {
  await using scene = await openScene()
  const wanted = { method, params: { projectId: scene.ids.projectId, ...params } }
  expect(await refusalOf(scene, actor, wanted), 'it has to be refused').toBeDefined()
  await followToTheEnd(scene, actor, wanted)
})

describe('what another repo said can only be taken away by it, and is asked for', () => {
  test('of a contract', async () => {
    await using scene = await openScene()
    await STATES['negotiating']?.(scene)
    const { responses } = await scene.as.author('cacp/contract/get', scene.ids)
    const statementId = responses.at(-1)?.response_id ?? ''
    const wanted = { method: 'cacp/contract/redact', params: { ...scene.ids, statementId } }
    expect(await refusalOf(scene, 'author', wanted)).toMatchObject({ kind: 'forbidden' })
    await followToTheEnd(scene, 'author', wanted)
  })

  test('of a packet', async () => {
    await using scene = await openScene()
    const { projectId } = scene.ids
    const { packetId } = await scene.as.party('cacp/context/askQuestion', { projectId, question: 'JWT?' })
    const wanted = { method: 'cacp/context/redact', params: { projectId, packetId } }
    expect(await refusalOf(scene, 'member', wanted)).toMatchObject({ kind: 'conflict' })
    await followToTheEnd(scene, 'member', wanted)
  })
})

describe('where no project is named', () => {
  test('and there are several, one can be chosen', async () => {
    await using scene = await openScene()
    await scene.as.author('cacp/project/create', { name: 'Other', objective: '' })
    const wanted = { method: 'cacp/contract/list', params: {} }
    expect(await refusalOf(scene, 'author', wanted)).toMatchObject({ kind: 'invalid_params' })
    await followToTheEnd(scene, 'author', wanted)
  })

  test('and the chosen one is archived, the choice can be undone', async () => {
    await using scene = await openScene()
    const { projectId } = scene.ids
    await scene.as.author('cacp/project/create', { name: 'Other', objective: '' })
    await scene.as.author('cacp/project/use', { projectId })
    await scene.as.author('cacp/project/archive', { projectId })
    const wanted = { method: 'cacp/contract/list', params: {} }
    expect(await refusalOf(scene, 'author', wanted)).toMatchObject({ kind: 'conflict' })
    await followToTheEnd(scene, 'author', wanted)
  })

  test('and there is none, all can be listed', async () => {
    await using scene = await openScene()
    await scene.as.author('cacp/project/archive', { projectId: scene.ids.projectId })
    await followToTheEnd(scene, 'author', { method: 'cacp/contract/list', params: {} })
  })
})
