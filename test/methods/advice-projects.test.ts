import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import { ACTORS, openScene, STATES } from '../support/desk/contract-states.ts'
import { followToTheEnd, refusalOf } from '../support/desk/follow-advice.ts'

/** What may be done with projects and their repos, and with names that are wrong: every refusal leads somewhere. */

const PROPOSAL = { type: 'custom', name: 'Logout', content: { v: 1 } }

type Action = readonly [method: string, params: JsonObject]

const ACTIONS: Record<string, Action> = {
  'propose a contract': ['cacp/contract/propose', PROPOSAL],
  'propose a contract to a repo that is mistyped': [
    'cacp/contract/propose',
    { ...PROPOSAL, parties: ['fronted-app'] },
  ],
  'answer a contract that is mistyped': ['cacp/contract/respond', { contractId: 'Logn', action: 'agree' }],
  'change an old version': ['cacp/contract/update', { contractId: 'Login', content: { v: 9 }, version: 7 }],
  'ask a question': ['cacp/context/askQuestion', { question: 'JWT or cookies?' }],
  'join as a repo that somebody holds': ['cacp/project/join', { repoName: 'frontend-app' }],
  'join as a repo that nobody holds': ['cacp/project/join', { repoName: 'desktop-app' }],
  'join as a repo that is mistyped': ['cacp/project/join', { repoName: 'desktp-app' }],
  'join as a repo that there is not': ['cacp/project/join', { repoName: 'watch' }],
  'join without saying as which repo': ['cacp/project/join', {}],
  'add a repo': ['cacp/project/addRepo', { name: 'watch-app' }],
  'add a repo that is held': ['cacp/project/addRepo', { name: 'frontend-app' }],
  'add a repo that nobody holds': ['cacp/project/addRepo', { name: 'desktop-app' }],
  'remove a repo that is held': ['cacp/project/removeRepo', { repoName: 'frontend-app' }],
  'remove a repo that nobody holds': ['cacp/project/removeRepo', { repoName: 'desktop-app' }],
  'remove a repo that is mistyped': ['cacp/project/removeRepo', { repoName: 'desktp-app' }],
  'archive it': ['cacp/project/archive', {}],
  'bring it back': ['cacp/project/archive', { archived: false }],
  'choose it': ['cacp/project/use', {}],
  'release a repo': ['cacp/repo/release', {}],
  'release a repo that another holds': ['cacp/repo/release', { repoName: 'frontend-app' }],
}

describe.each(['agreed', 'of an archived project'])('with a contract that is %s', (state) => {
  describe.each(Object.entries(ACTIONS))('%s', (_action, [method, params]) => {
    test.each(ACTORS)('by the %s', async (actor) => {
      await using scene = await openScene()
      await STATES[state]?.(scene)
      const wanted = { method, params: { projectId: scene.ids.projectId, ...params } }
      const refused = await refusalOf(scene, actor, wanted)
      if (state === 'of an archived project' && actor === 'outsider')
        expect(refused?.next).toMatch(/^Only its members can bring it back/)
      else await followToTheEnd(scene, actor, wanted)
    })
  })
})

describe('a name that is mistyped', () => {
  test.each([
    ['cacp/contract/propose', { ...PROPOSAL, parties: ['fronted-app'] }, 'frontend-app'],
    ['cacp/contract/update', { contractId: 'Login', addParties: ['mobil-app'] }, 'mobile-app'],
    ['cacp/project/join', { repoName: 'Desktop-App' }, 'desktop-app'],
    ['cacp/project/removeRepo', { repoName: 'desktop' }, undefined],
  ])('%s %j', async (method, params, meant) => {
    await using scene = await openScene()
    const { projectId } = scene.ids
    const refused = await refusalOf(scene, 'author', { method, params: { projectId, ...params } })
    expect(refused).toMatchObject({
      kind: 'not_found',
      next: expect.stringContaining(
        `${meant === undefined ? '' : `Did you mean ${meant}? `}Its repos: backend-api, billing-api, desktop-app, frontend-app, mobile-app.`,
      ),
    })
    if (meant === undefined) expect(refused?.next).not.toContain('Did you mean')
  })

  test('of a contract', async () => {
    await using scene = await openScene()
    const { projectId } = scene.ids
    const refused = await refusalOf(scene, 'party', {
      method: 'cacp/contract/get',
      params: { projectId, contractId: 'Logn' },
    })
    expect(refused?.next).toBe('Did you mean Login? List the contracts with cacp/contract/list')
  })
})

test('where every repo is held, whoever comes adds its own, and joins as that', async () => {
  await using scene = await openScene()
  const { projectId } = scene.ids
  await scene.as.author('cacp/project/removeRepo', { projectId, repoName: 'desktop-app' })
  const refused = await refusalOf(scene, 'outsider', {
    method: 'cacp/context/askQuestion',
    params: { projectId, question: 'JWT?' },
  })
  expect(refused).toMatchObject({
    next: expect.stringMatching(/^Add the repo .*cacp\/project\/addRepo, then call cacp\/project\/join/),
    data: { call: { method: 'cacp/project/addRepo', params: { projectId }, fill: ['name'] } },
  })
  await scene.as.outsider('cacp/project/addRepo', { projectId, name: 'watch-app' })
  await expect(
    scene.as.outsider('cacp/project/join', { projectId, repoName: 'watch-app' }),
  ).resolves.toMatchObject({ status: 'joined' })
})
