import { type CallAs, type Desk, FRONTEND } from '../desk/desk.ts'

/** A project of three repos, in which a contract may need more than one answer. */

export const MOBILE = 'aid://example.com/mobile@1.0.0'

export interface Three {
  readonly projectId: string
  readonly backend: CallAs
  readonly frontend: CallAs
  readonly mobile: CallAs
}

export async function openThree(
  desk: Desk,
  joined: readonly string[] = ['frontend-app', 'mobile-app'],
): Promise<Three> {
  const backend = desk.call
  const frontend = desk.as(FRONTEND)
  const mobile = desk.as(MOBILE)
  const { projectId } = await backend('cacp/project/create', {
    name: 'Auth',
    objective: '',
    repos: ['backend-api', 'frontend-app', 'mobile-app'].map((name) => ({ name })),
  })
  if (joined.includes('frontend-app'))
    await frontend('cacp/project/join', { projectId, repoName: 'frontend-app' })
  if (joined.includes('mobile-app')) await mobile('cacp/project/join', { projectId, repoName: 'mobile-app' })
  return { projectId, backend, frontend, mobile }
}

export const PROPOSAL = { type: 'custom', name: 'Login', content: { v: 1 } } as const

export async function propose(desk: Desk, parties?: string[]) {
  const three = await openThree(desk)
  const { projectId, backend } = three
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    ...PROPOSAL,
    ...(parties && { parties }),
  })
  const ids = { projectId, contractId }
  const get = () => backend('cacp/contract/get', ids)
  const namesOf = async (repoIds: readonly string[]) => {
    const { repos } = await backend('cacp/project/get', { projectId })
    return repos.filter((one) => repoIds.includes(one.repo_id)).map(({ name }) => name)
  }
  return { ...three, ids, get, namesOf }
}

/** What a repo has to do, by kind. */
export const duties = async (call: CallAs) =>
  (await call('cacp/inbox/list', {})).items.map(({ kind }) => kind)
