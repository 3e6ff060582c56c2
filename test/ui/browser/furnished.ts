import { expect } from 'vitest'
import { openTwoRepos, type TwoRepos } from '../../support/browser/two-repos.ts'
import { requestWith } from '../../support/dialects/run-events.ts'
import { OPERATOR } from '../../support/runs/test-runs.ts'

export const SCREENS = [
  'inbox',
  'contracts',
  'board',
  'contract',
  'comparison',
  'conflict',
  'answer',
  'thread',
  'map',
  'timeline',
  'peers',
  'peer',
  'runs',
  'run',
  'works',
  'work',
] as const
type ScreenName = (typeof SCREENS)[number]

/** Two repos with something of everything, and where the dashboard of the backend shows it. */
export interface Furnished extends TwoRepos {
  readonly base: string
  readonly paths: Readonly<Record<ScreenName, string>>
}

const CONTENT = { method: 'GET', path: '/users/me', response: { id: 'string', name: 'string' } }

export async function openFurnished(): Promise<Furnished> {
  const repos = await openTwoRepos()
  const { backend, frontend, projectId } = repos
  const contract = await repos.propose(frontend, 'Get User Profile', CONTENT)
  const subject = { projectId, contractId: contract }
  await backend.rpc('cacp/contract/respond', {
    ...subject,
    action: 'request_change',
    comment: 'Move it to `/api/v1`',
  })
  await repos.update(frontend, contract, { ...CONTENT, path: '/api/v1/users/me' })
  await repos.update(frontend, contract, {
    ...CONTENT,
    path: '/api/v1/users/me',
    errors: { 401: 'no session' },
  })
  const conflict = await repos.propose(backend, 'Upload Avatar', { path: '/avatar', size: 1 })
  await repos.changeBoth(conflict, {
    backend: { path: '/avatar', size: 2 },
    frontend: { path: '/avatar', size: 3 },
  })
  const verified = await repos.propose(backend, 'Log In', { method: 'POST', path: '/login' })
  const built = { projectId, contractId: verified }
  await frontend.rpc('cacp/contract/respond', { ...built, action: 'agree' })
  for (const one of [backend, frontend]) {
    await expect
      .poll(() => one.rpc('cacp/implementation/start', { ...built, plan: 'Write it' }).catch(() => null))
      .not.toBeNull()
    await one.rpc('cacp/implementation/complete', { ...built, files: ['src/login.ts'] })
  }
  const question = {
    projectId,
    question: 'With a JWT or with cookies?',
    options: ['JWT', 'cookies'],
    relatedContracts: [contract],
  }
  const { packetId } = await frontend.rpc('cacp/context/askQuestion', question)
  await expect
    .poll(() => backend.rpc('cacp/context/getThread', { projectId, packetId }).catch(() => null))
    .not.toBeNull()
  await backend.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: '' },
    body: JSON.stringify({
      agentId: 'aid://example.com/mobile@1.0.0',
      endpoint: 'http://127.0.0.1:9',
      repoName: 'mobile-app',
    }),
  })
  await backend.rpc('cacp/invite/create', { repoName: 'web-app' })
  await backend.rpc('cacp/token/issue', { projectId, permissions: ['project:read'] })
  await backend.fetch('/', {
    method: 'POST',
    headers: { authorization: 'Bearer cacp_sk_live_wrong', 'content-type': 'application/json' },
    body: '{}',
  })
  const { run } = await backend.runs.start(
    requestWith({ parameters: { question: 'What is agreed?' } }),
    OPERATOR,
  )
  for await (const _ of backend.runs.follow(run.run_id, OPERATOR));
  const { work } = await backend.rpc('cacp/work/send', {
    peer: 'frontend-app',
    workType: 'summarize_project',
    parameters: {},
  })
  const at = (id: string) => `c/${projectId}/${id}`
  return {
    ...repos,
    base: `${backend.url}/ui/`,
    paths: {
      inbox: '',
      contracts: 'contracts',
      board: 'contracts?view=board',
      contract: at(contract),
      comparison: `${at(contract)}?v=1..3`,
      conflict: at(conflict),
      answer: `${at(contract)}?act=request_change`,
      thread: `t/${projectId}/${packetId}`,
      map: 'map',
      timeline: 'timeline',
      peers: 'peers?log=all',
      peer: `peers/${encodeURIComponent('aid://example.com/frontend@1.0.0')}`,
      runs: 'runs',
      run: `runs/${run.run_id}`,
      works: 'runs?of=work',
      work: `runs/${work.workId}?of=work`,
    },
  }
}
