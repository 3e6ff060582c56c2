import { describe, expect, test } from 'vitest'
import { ACTORS, type Actor, openScene, type Scene, STATES } from '../support/desk/contract-states.ts'
import { followToTheEnd, refusalOf, type Wanted } from '../support/desk/follow-advice.ts'

/** What may be done with a contract in which state and by whom, and that every refusal leads somewhere. */

type Ids = Scene['ids']

const ACTIONS: Record<string, (ids: Ids) => Wanted> = {
  agree: (ids) => ({ method: 'cacp/contract/respond', params: { ...ids, action: 'agree' } }),
  request_change: (ids) => ({
    method: 'cacp/contract/respond',
    params: { ...ids, action: 'request_change' },
  }),
  reject: (ids) => ({ method: 'cacp/contract/respond', params: { ...ids, action: 'reject' } }),
  update: (ids) => ({ method: 'cacp/contract/update', params: { ...ids, content: { v: 9 } } }),
  retire: (ids) => ({ method: 'cacp/contract/update', params: { ...ids, retire: true } }),
  resolve: (ids) => ({ method: 'cacp/contract/resolve', params: { ...ids, keep: 'winner' } }),
  withdraw: (ids) => ({ method: 'cacp/contract/withdraw', params: ids }),
  start: (ids) => ({ method: 'cacp/implementation/start', params: ids }),
  complete: (ids) => ({ method: 'cacp/implementation/complete', params: { ...ids, files: ['a.ts'] } }),
  verify: (ids) => ({ method: 'cacp/implementation/verify', params: { ...ids, result: 'success' } }),
  'find fault': (ids) => ({ method: 'cacp/implementation/verify', params: { ...ids, result: 'failure' } }),
}

const ANSWER = { agree: 'po', request_change: 'po', reject: 'po' }
const CHANGE = { ...ANSWER, update: 'apo', retire: 'apo' }
const JUDGE = { verify: 'apo', 'find fault': 'apo' }
const VERIFIED = { ...CHANGE, ...JUDGE }

/** By state, who may do what: a the author, p a party, o the other one. */
const ALLOWED: Record<string, Partial<Record<string, string>>> = {
  proposed: { ...ANSWER, update: 'apo', withdraw: 'a' },
  'half agreed': { ...ANSWER, update: 'apo', withdraw: 'a' },
  negotiating: { ...ANSWER, update: 'apo', withdraw: 'a' },
  agreed: { ...CHANGE, start: 'apo' },
  started: { ...CHANGE, start: 'apo', complete: 'apo' },
  'half complete': { ...CHANGE, start: 'apo', complete: 'a' },
  implemented: { ...CHANGE, ...JUDGE, start: 'apo', complete: 'apo' },
  verified: VERIFIED,
  'verified and to be changed': VERIFIED,
  'verified, changed and agreed anew': { ...CHANGE, start: 'apo' },
  'found not to work': { ...CHANGE, start: 'apo', complete: 'apo' },
  'found not to work in one part': { ...CHANGE, start: 'apo', complete: 'apo' },
  // The newer version is the other party's.
  'in conflict': {
    agree: 'ao',
    request_change: 'ao',
    reject: 'ao',
    update: 'apo',
    resolve: 'apo',
    withdraw: 'a',
  },
  'its author’s alone': { agree: 'a', request_change: 'a', reject: 'a', update: 'a', withdraw: 'a' },
  withdrawn: { withdraw: 'apo' },
  retired: { ...ANSWER, update: 'apo' },
  'of an archived project': {},
}

const LETTER: Partial<Record<Actor, string>> = { author: 'a', party: 'p', 'other party': 'o' }

const isAllowed = (state: string, action: string, actor: Actor): boolean =>
  ALLOWED[state]?.[action]?.includes(LETTER[actor] ?? '-') === true

describe.each(Object.keys(STATES))('with a contract that is %s', (state) => {
  describe.each(Object.entries(ACTIONS))('%s', (action, wantedIn) => {
    test.each(ACTORS)('by the %s', async (actor) => {
      await using scene = await openScene()
      await STATES[state]?.(scene)
      const wanted = wantedIn(scene.ids)
      const refused = await refusalOf(scene, actor, wanted)
      expect(refused === undefined, refused?.message).toBe(isAllowed(state, action, actor))
      if (refused === undefined) return
      if (state === 'of an archived project' && actor === 'outsider') {
        expect(refused.next).toMatch(/^Only its members can bring it back.*: ask backend-api or/)
        return
      }
      const isOutside = actor === 'outsider' && state !== 'of an archived project'
      expect(refused.kind).toBe(isOutside ? 'not_member' : 'conflict')
      await followToTheEnd(scene, actor, wanted)
    })
  })
})

test('an outsider that follows the advice becomes a member, and is told who can make it a party', async () => {
  await using scene = await openScene()
  const { as, ids } = scene
  const respond = () => as.outsider('cacp/contract/respond', { ...ids, action: 'agree' })
  await expect(respond()).rejects.toMatchObject({
    kind: 'not_member',
    next: expect.stringMatching(/cacp\/project\/join .*nobody holds desktop-app.*cacp\/project\/addRepo/),
  })
  await as.outsider('cacp/project/join', { projectId: ids.projectId, repoName: 'desktop-app' })
  await expect(respond()).rejects.toMatchObject({
    kind: 'conflict',
    message: `desktop-app is not a party of contract ${ids.contractId}`,
    next: expect.stringMatching(/^Ask \S+, \S+ or \S+ to make desktop-app a party/),
  })
  await as.author('cacp/contract/update', {
    ...ids,
    parties: ['backend-api', 'frontend-app', 'desktop-app'],
  })
  await expect(respond()).resolves.toMatchObject({ status: 'agreed', unanswered: ['frontend-app'] })
})

describe('who has to do something is named', () => {
  test('those that have not completed their part', async () => {
    await using scene = await openScene()
    await STATES['half complete']?.(scene)
    const verify = (actor: Actor) =>
      refusalOf(scene, actor, {
        method: 'cacp/implementation/verify',
        params: { ...scene.ids, result: 'success' },
      })
    expect((await verify('author'))?.next).toMatch(
      /^Before that (billing-api and frontend-app|frontend-app and billing-api) must complete/,
    )
    expect((await verify('party'))?.next).toMatch(
      /^frontend-app must complete its own part first, and so must billing-api: begin with/,
    )
  })

  test('those that have not agreed', async () => {
    await using scene = await openScene()
    await STATES['half agreed']?.(scene)
    const refused = await refusalOf(scene, 'author', {
      method: 'cacp/implementation/start',
      params: scene.ids,
    })
    expect(refused?.next).toMatch(/^Before that billing-api must agree to version 1/)
  })
})
