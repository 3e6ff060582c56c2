import { speakIn } from '../../../src/domain/speaking/speaking.ts'
import { revision } from '../../../src/domain/statements/revision.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { Author } from '../../domain/statements/author.ts'
import { type CallAs, type Desk, FRONTEND, OUTSIDER, openDesk, openFeature } from './desk.ts'

/** What two repos have done so far, so that one of them has something to do. */
export interface Scene {
  desk: Desk
  projectId: string
  backend: CallAs
  frontend: CallAs
}

/** The frontend begins another feature, for which it needs the backend. */
export async function namingBackend({ frontend }: Pick<Scene, 'frontend'>): Promise<{ projectId: string }> {
  const repos = [{ name: 'frontend-app' }, { name: 'backend-api' }]
  const { projectId } = await frontend('cacp/project/create', {
    name: 'User Auth Feature',
    objective: 'Once more',
    repos,
  })
  await frontend('cacp/project/join', { projectId, repoName: 'frontend-app' })
  return { projectId }
}

export async function proposed({
  projectId,
  backend,
}: Scene): Promise<{ projectId: string; contractId: string }> {
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User Profile',
    content: { path: '/profile' },
  })
  return { projectId, contractId }
}

export async function agreed(scene: Scene) {
  const named = await proposed(scene)
  await scene.frontend('cacp/contract/respond', { ...named, action: 'agree' })
  return named
}

export async function complete(
  call: CallAs,
  named: { projectId: string; contractId: string },
): Promise<void> {
  await call('cacp/implementation/start', named)
  await call('cacp/implementation/complete', { ...named, files: ['a.ts'] })
}

export async function implemented(scene: Scene) {
  const named = await agreed(scene)
  await complete(scene.backend, named)
  await complete(scene.frontend, named)
  return named
}

/** What other daemons said, as it arrives here. */
export const hear = (desk: Desk, ...takes: Statement[]): Promise<void> =>
  desk.store.commit(() => ({ result: undefined, takes }))

/** An agent of another daemon founds a project, which names the repo of the backend. */
async function foundElsewhere(desk: Desk, founder: Author): Promise<Statement> {
  const { clock } = desk
  const founding = founder.found(clock.now(), { name: 'User Auth Feature' })
  await hear(desk, founding, founder.nameRepo(founding, 'backend-api', clock.now()))
  return founding
}

/** The frontend claims a repo that the founder of its project has claimed meanwhile, on another daemon. */
export async function outvoted({ desk, frontend }: Pick<Scene, 'desk' | 'frontend'>): Promise<{
  projectId: string
  founding: Statement
  since: string
  /** The other agent gives the repo back. */
  giveBack: () => Promise<void>
}> {
  const holder = new Author(OUTSIDER)
  const founding = await foundElsewhere(desk, holder)
  const { project_id: projectId } = founding
  await frontend('cacp/project/join', { projectId, repoName: 'backend-api' })
  const claim = holder.claim(projectId, 'backend-api', desk.clock.now())
  await hear(desk, claim, holder.confirm(founding, claim, desk.clock.now()))
  const giveBack = () => hear(desk, holder.release(claim, desk.clock.now()))
  return { projectId, founding, since: claim.at, giveBack }
}

/** Two agents of other daemons claim the same repo of a project that the backend founded, which has seen neither before. */
export async function rivalling({
  desk,
  backend,
}: Pick<Scene, 'desk' | 'backend'>): Promise<{ projectId: string }> {
  const { projectId } = await backend('cacp/project/create', {
    name: 'User Auth Feature',
    objective: 'Once more',
    repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
  })
  const claims = [FRONTEND, OUTSIDER].map((agentId) =>
    new Author(agentId).claim(projectId, 'frontend-app', desk.clock.now()),
  )
  await hear(desk, ...claims)
  return { projectId }
}

/** Both repos change a contract on the same version of it, as if they did not know of each other. */
export async function conflicting(scene: Scene): Promise<void> {
  const { desk, projectId, frontend } = scene
  const { contractId } = await proposed(scene)
  const first = desk.store.view.projects.get(projectId)?.contracts.get(contractId)?.head
  await frontend('cacp/contract/update', { projectId, contractId, content: { path: '/theirs' } })
  await desk.store.commit((view) => {
    const found = view.projects.get(projectId)
    const by = first && found?.repos.get(first.repo_id)?.holder?.speaks_by
    if (found === undefined || first === undefined || by === undefined) throw new Error('nobody proposed it')
    const speak = speakIn(found, by, { now: desk.clock.now(), newNonce: desk.clock.newNonce })
    const body = { version: 2, parent: first.id, parties: first.parties }
    const content = { value: { path: '/ours' }, note: '' }
    return { result: undefined, says: [speak(revision, { about: contractId, body, content })] }
  })
}

export async function openScene(): Promise<Scene & AsyncDisposable> {
  const desk = await openDesk()
  return { desk, ...(await openFeature(desk)), [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose]() }
}

export const kindsIn = async (call: CallAs): Promise<string[]> =>
  (await call('cacp/inbox/list', {})).items.map(({ kind }) => kind)
