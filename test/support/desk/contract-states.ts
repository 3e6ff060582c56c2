import type { Caller } from '../../../src/domain/env.ts'
import { BACKEND, type CallAs, type Desk, FRONTEND, OUTSIDER, openDesk } from './desk.ts'
import { forkContract } from './forked-contract.ts'

/** A contract in every state that it can be in, and all who may want to do something with it. */

const MOBILE = 'aid://example.com/mobile@1.0.0'
const BILLING = 'aid://example.com/billing@1.0.0'

/**
 * The backend wrote the contract, the frontend and the billing service are its other parties; the mobile app belongs to
 * the project only. There is room for one more in it, the desktop app.
 */
export const ACTORS = ['author', 'party', 'other party', 'member', 'outsider'] as const
export type Actor = (typeof ACTORS)[number]
export const MEMBERS = ACTORS.slice(0, 4)

const guest = (agentId: string): Partial<Caller> => ({ kind: 'open', agentId, repoName: null })

/** Guests have no other rights than those of their repos. */
const CALLERS: Record<Actor, Partial<Caller>> = {
  author: { agentId: BACKEND },
  party: guest(FRONTEND),
  'other party': guest(BILLING),
  member: guest(MOBILE),
  outsider: guest(OUTSIDER),
}

export interface Scene {
  readonly desk: Desk
  readonly ids: { readonly projectId: string; readonly contractId: string }
  readonly as: Record<Actor, CallAs>
}

export const callAs = ({ desk }: Pick<Scene, 'desk'>, actor: Actor, method: string, params: unknown) =>
  desk.send(method, params, { caller: CALLERS[actor] })

export async function openScene(): Promise<Scene & AsyncDisposable> {
  const desk = await openDesk()
  const as = Object.fromEntries(
    ACTORS.map((actor) => [
      actor,
      (method: string, params: unknown) => callAs({ desk }, actor, method, params),
    ]),
  ) as Record<Actor, CallAs>
  const repos = ['backend-api', 'frontend-app', 'billing-api', 'mobile-app', 'desktop-app']
  const { projectId } = await as.author('cacp/project/create', {
    name: 'Auth',
    objective: '',
    repos: repos.map((name) => ({ name })),
  })
  await as.party('cacp/project/join', { projectId, repoName: 'frontend-app' })
  await as['other party']('cacp/project/join', { projectId, repoName: 'billing-api' })
  await as.member('cacp/project/join', { projectId, repoName: 'mobile-app' })
  const { contractId } = await as.author('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'Login',
    content: { v: 1 },
    parties: ['backend-api', 'frontend-app', 'billing-api'],
  })
  return {
    desk,
    ids: { projectId, contractId },
    as,
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  }
}

const PARTIES = ['author', 'party', 'other party'] as const

async function agree({ as, ids }: Scene): Promise<void> {
  for (const who of ['party', 'other party'] as const)
    await as[who]('cacp/contract/respond', { ...ids, action: 'agree' })
}

async function complete({ as, ids }: Scene, ...actors: readonly Actor[]): Promise<void> {
  for (const who of actors) {
    await as[who]('cacp/implementation/start', ids)
    await as[who]('cacp/implementation/complete', { ...ids, files: [] })
  }
}

async function implemented(scene: Scene): Promise<void> {
  await agree(scene)
  await complete(scene, ...PARTIES)
}

async function verified(scene: Scene): Promise<void> {
  await implemented(scene)
  await scene.as.party('cacp/implementation/verify', { ...scene.ids, result: 'success' })
}

async function changed(scene: Scene): Promise<void> {
  await verified(scene)
  await scene.as.author('cacp/contract/update', { ...scene.ids, content: { v: 2 } })
}

/** How a contract that was just proposed comes to each state. */
export const STATES: Record<string, (scene: Scene) => Promise<unknown>> = {
  proposed: async () => {},
  'half agreed': ({ as, ids }) => as.party('cacp/contract/respond', { ...ids, action: 'agree' }),
  negotiating: ({ as, ids }) => as.party('cacp/contract/respond', { ...ids, action: 'request_change' }),
  agreed: agree,
  started: async (scene) => {
    await agree(scene)
    for (const who of PARTIES) await scene.as[who]('cacp/implementation/start', scene.ids)
  },
  'half complete': async (scene) => {
    await agree(scene)
    await complete(scene, 'author')
  },
  implemented,
  verified,
  'verified and to be changed': changed,
  'verified, changed and agreed anew': async (scene) => {
    await changed(scene)
    await agree(scene)
  },
  'found not to work': async (scene) => {
    await implemented(scene)
    await scene.as.party('cacp/implementation/verify', { ...scene.ids, result: 'failure' })
  },
  'found not to work in one part': async (scene) => {
    await verified(scene)
    const blames = ['backend-api']
    await scene.as.party('cacp/implementation/verify', { ...scene.ids, result: 'failure', blames })
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
  'of an archived project': async (scene) => {
    await agree(scene)
    await scene.as.author('cacp/project/archive', { projectId: scene.ids.projectId })
  },
}
