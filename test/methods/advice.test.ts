import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { type CallAs, type Desk, FRONTEND, OUTSIDER, openDesk } from '../support/desk.ts'
import { forkContract } from '../support/forked-contract.ts'

/** What may be done with a contract in which state and by whom, and that every refusal names a call that works. */

const MOBILE = 'aid://example.com/mobile@1.0.0'

/** The backend wrote the contract, the frontend is its other party, the mobile app only belongs to the project. */
type Who = 'author' | 'party' | 'member' | 'outsider'

interface Scene {
  readonly desk: Desk
  readonly ids: { readonly projectId: string; readonly contractId: string }
  readonly as: Record<Who, CallAs>
}

async function openScene(): Promise<Scene> {
  const desk = await openDesk()
  const as = {
    author: desk.call,
    party: desk.as(FRONTEND),
    member: desk.as(MOBILE),
    outsider: desk.as(OUTSIDER),
  }
  const names = ['backend-api', 'frontend-app', 'mobile-app']
  const { projectId } = await as.author('cacp/project/create', {
    name: 'Auth',
    objective: '',
    repos: names.map((name) => ({ name })),
  })
  await as.party('cacp/project/join', { projectId, repoName: 'frontend-app' })
  await as.member('cacp/project/join', { projectId, repoName: 'mobile-app' })
  const { contractId } = await as.author('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'Login',
    content: { v: 1 },
    parties: ['backend-api', 'frontend-app'],
  })
  return { desk, ids: { projectId, contractId }, as }
}

const agree = ({ as, ids }: Scene) => as.party('cacp/contract/respond', { ...ids, action: 'agree' })
const build = async ({ as, ids }: Scene) => {
  for (const who of ['author', 'party'] as const) {
    await as[who]('cacp/implementation/start', ids)
    await as[who]('cacp/implementation/complete', { ...ids, files: [] })
  }
}

/** How a contract that was just proposed comes to each state. */
const STATES: Record<string, (scene: Scene) => Promise<unknown>> = {
  proposed: async () => {},
  negotiating: ({ as, ids }) => as.party('cacp/contract/respond', { ...ids, action: 'request_change' }),
  agreed: agree,
  started: async (scene) => {
    await agree(scene)
    for (const who of ['author', 'party'] as const)
      await scene.as[who]('cacp/implementation/start', scene.ids)
  },
  'half complete': async (scene) => {
    await agree(scene)
    await scene.as.author('cacp/implementation/start', scene.ids)
    await scene.as.author('cacp/implementation/complete', { ...scene.ids, files: [] })
  },
  implemented: async (scene) => {
    await agree(scene)
    await build(scene)
  },
  verified: async (scene) => {
    await agree(scene)
    await build(scene)
    await scene.as.party('cacp/implementation/verify', { ...scene.ids, result: 'success' })
  },
  'verified and to be changed': async (scene) => {
    await STATES['verified']?.(scene)
    await scene.as.author('cacp/contract/update', { ...scene.ids, content: { v: 2 } })
  },
  'in conflict': async ({ as, ids, desk }) => {
    await as.author('cacp/contract/update', { ...ids, content: { v: 2 } })
    await forkContract(desk, { ...ids, repoName: 'frontend-app', content: { v: 'other' } })
  },
  'its author’s alone': ({ as, ids }) =>
    as.author('cacp/contract/update', { ...ids, parties: ['backend-api'] }),
  withdrawn: ({ as, ids }) => as.author('cacp/contract/withdraw', ids),
  retired: async (scene) => {
    await agree(scene)
    await scene.as.author('cacp/contract/update', { ...scene.ids, retire: true })
    await agree(scene)
  },
}

const ACTIONS: Record<string, (call: CallAs, scene: Scene) => Promise<unknown>> = {
  agree: (call, { ids }) => call('cacp/contract/respond', { ...ids, action: 'agree' }),
  request_change: (call, { ids }) => call('cacp/contract/respond', { ...ids, action: 'request_change' }),
  reject: (call, { ids }) => call('cacp/contract/respond', { ...ids, action: 'reject' }),
  update: (call, { ids }) => call('cacp/contract/update', { ...ids, content: { v: 9 } }),
  retire: (call, { ids }) => call('cacp/contract/update', { ...ids, retire: true }),
  resolve: (call, { ids }) => call('cacp/contract/resolve', { ...ids, keep: 'winner' }),
  withdraw: (call, { ids }) => call('cacp/contract/withdraw', ids),
  start: (call, { ids }) => call('cacp/implementation/start', ids),
  complete: (call, { ids }) => call('cacp/implementation/complete', { ...ids, files: ['a.ts'] }),
  verify: (call, { ids }) => call('cacp/implementation/verify', { ...ids, result: 'success' }),
  'find fault': (call, { ids }) => call('cacp/implementation/verify', { ...ids, result: 'failure' }),
}

/** By state, who may do what: a the author, p the other party. */
const ALLOWED: Record<string, Partial<Record<string, string>>> = {
  proposed: { agree: 'p', request_change: 'p', reject: 'p', update: 'ap', withdraw: 'a' },
  negotiating: { agree: 'p', request_change: 'p', reject: 'p', update: 'ap', withdraw: 'a' },
  agreed: { agree: 'p', request_change: 'p', reject: 'p', update: 'ap', retire: 'ap', start: 'ap' },
  started: {
    agree: 'p',
    request_change: 'p',
    reject: 'p',
    update: 'ap',
    retire: 'ap',
    start: 'ap',
    complete: 'ap',
  },
  'half complete': {
    agree: 'p',
    request_change: 'p',
    reject: 'p',
    update: 'ap',
    retire: 'ap',
    start: 'ap',
    complete: 'a',
  },
  implemented: {
    agree: 'p',
    request_change: 'p',
    reject: 'p',
    update: 'ap',
    retire: 'ap',
    start: 'ap',
    complete: 'ap',
    verify: 'ap',
    'find fault': 'ap',
  },
  verified: {
    agree: 'p',
    request_change: 'p',
    reject: 'p',
    update: 'ap',
    retire: 'ap',
    verify: 'ap',
    'find fault': 'ap',
  },
  'verified and to be changed': {
    agree: 'p',
    request_change: 'p',
    reject: 'p',
    update: 'ap',
    retire: 'ap',
    verify: 'ap',
    'find fault': 'ap',
  },
  // The newer version is the other party's.
  'in conflict': {
    agree: 'a',
    request_change: 'a',
    reject: 'a',
    update: 'ap',
    resolve: 'ap',
    withdraw: 'a',
  },
  'its author’s alone': { agree: 'a', request_change: 'a', reject: 'a', update: 'a', withdraw: 'a' },
  withdrawn: { withdraw: 'ap' },
  retired: { agree: 'p', request_change: 'p', reject: 'p', update: 'ap' },
}

const LETTER: Partial<Record<Who, string>> = { author: 'a', party: 'p' }
const WHO = ['author', 'party', 'member', 'outsider'] as const

const isAllowed = (state: string, action: string, who: Who): boolean =>
  ALLOWED[state]?.[action]?.includes(LETTER[who] ?? '-') === true

interface Refusal {
  readonly kind: string
  readonly next: string
  readonly data: { readonly call: { readonly method: string; readonly params: JsonObject } }
}

/** Takes the advice as it stands; what has to be waited for, the others then do. */
async function follow({ next, data: { call } }: Refusal, who: Who, scene: Scene): Promise<unknown> {
  expect(next).toContain(call.method)
  const caller = { author: {}, party: { agentId: FRONTEND }, member: { agentId: MOBILE }, outsider: {} }[who]
  const repoName = who === 'author' ? {} : { repoName: null }
  const answered = scene.desk.send(call.method, call.params, { caller: { ...caller, ...repoName } })
  if (call.method !== 'cacp/wait') return answered
  await agree(scene).catch(() => scene.as.author('cacp/contract/respond', { ...scene.ids, action: 'agree' }))
  await build(scene).catch(() => {})
  expect(await answered).toMatchObject({ met: true })
  return answered
}

describe.each(Object.keys(STATES))('with a contract that is %s', (state) => {
  describe.each(Object.keys(ACTIONS))('%s', (action) => {
    test.each(WHO)('by the %s', async (who) => {
      const scene = await openScene()
      await using _desk = scene.desk
      await STATES[state]?.(scene)
      const act = () => ACTIONS[action]?.(scene.as[who], scene) ?? Promise.reject(new Error(action))
      if (isAllowed(state, action, who)) {
        await expect(act()).resolves.toBeDefined()
        return
      }
      const refused = await act().then(
        () => undefined,
        (thrown: Refusal) => thrown,
      )
      if (refused === undefined) throw new Error('it was not refused')
      if (who === 'outsider') {
        expect(refused).toMatchObject({
          kind: 'not_member',
          next: expect.stringMatching(/cacp\/project\/join/),
        })
        return
      }
      expect(refused).toMatchObject({ kind: 'conflict' })
      await expect(follow(refused, who, scene)).resolves.toBeDefined()
    })
  })
})

test('an outsider that follows the advice becomes a member, and is told who can make it a party', async () => {
  const scene = await openScene()
  await using _desk = scene.desk
  const { as, ids } = scene
  const respond = () => as.outsider('cacp/contract/respond', { ...ids, action: 'agree' })
  await expect(respond()).rejects.toMatchObject({
    kind: 'not_member',
    next: expect.stringMatching(/cacp\/project\/join .*cacp\/project\/addRepo/),
  })
  await as.author('cacp/project/addRepo', { projectId: ids.projectId, name: 'desktop-app' })
  await as.outsider('cacp/project/join', { projectId: ids.projectId, repoName: 'desktop-app' })
  await expect(respond()).rejects.toMatchObject({
    kind: 'conflict',
    message: `desktop-app is not a party of contract ${ids.contractId}`,
    next: expect.stringMatching(
      /^Ask (backend-api or frontend-app|frontend-app or backend-api) to make desktop-app a party/,
    ),
  })
  await as.author('cacp/contract/update', {
    ...ids,
    parties: ['backend-api', 'frontend-app', 'desktop-app'],
  })
  await expect(respond()).resolves.toMatchObject({ status: 'agreed', unanswered: ['frontend-app'] })
})
