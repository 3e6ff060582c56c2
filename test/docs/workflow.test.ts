import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { BOUND, bothHealthy, FRONTEND, pair } from '../cluster/pairs.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { folderWith } from '../support/folders/folder.ts'
import { blocksOf } from './markdown.ts'
import { cleanEnv } from './page-script.ts'
import { pageText, ROOT } from './pages.ts'

interface Workflow {
  jobs: Record<string, { steps: { run?: string; env?: Record<string, string> }[] }>
}

/** The commands of the workflow, and the names of the variables that they are given. */
function stepsOfWorkflow() {
  const blocks = blocksOf(pageText('docs/merge.md')).filter(({ language }) => language === 'yaml')
  expect(blocks).toHaveLength(1)
  const { jobs } = parse(blocks[0]?.text ?? '') as Workflow
  return Object.values(jobs).flatMap(({ steps }) => steps.filter(({ run }) => run !== undefined))
}

test('the workflow of docs/merge.md lets a merge through that fits, and stops another', async () => {
  await using backend = await daemon()
  await using frontend = await daemon(FRONTEND)
  // The working copy of a job has the files of its repository, and no daemon.
  await using copy = await folderWith({ 'user.ts': 'export {}' })
  await writeFile(join(dirname(frontend.dataDir), 'user.ts'), 'export {}')
  const target = await verifiedContract(backend, frontend)
  const { projectId } = target
  const { token } = await backend.rpc('cacp/token/issue', { projectId, permissions: ['gate:read'] })
  const steps = stepsOfWorkflow()
  const given = { CACP_PEER: backend.url, CACP_TOKEN: token }
  expect(steps.flatMap(({ env = {} }) => Object.keys(env))).toEqual(Object.keys(given))
  const script = `npx() { shift; node ${ROOT}/bin/cacpd.js "$@"; }\n${steps.map(({ run }) => run).join('\n')}`
  const job = () =>
    promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: copy.path,
      env: { ...cleanEnv(), ...given, HOME: copy.path },
    })
  expect((await job()).stdout).toContain('::notice title=can-i-merge::frontend-app may merge: yes\n')
  await writeFile(copy.at('user.ts'), 'export const changed = true')
  await expect(job()).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/^::error .*: no\n/) })
}, 60_000)

/** A contract that both have agreed to and completed, and the frontend has verified, as far as the backend knows. */
async function verifiedContract(backend: TestDaemon, frontend: TestDaemon) {
  const project = { name: 'User Auth', objective: 'Log in' }
  const { projectId } = await backend.rpc('cacp/project/create', project)
  await pair(backend, frontend, { project: projectId })
  await bothHealthy(backend, frontend)
  const content = { method: 'GET', path: '/users/me', response: { id: 'uuid' } }
  const proposal = { projectId, type: 'api_endpoint', name: 'Get User', content }
  const { contractId } = await backend.rpc('cacp/contract/propose', proposal)
  const target = { projectId, contractId }
  const call = (at: TestDaemon, method: string, more: object = {}) => at.rpc(method, { ...target, ...more })
  const reaches = (at: TestDaemon, status: string) =>
    at.rpc('cacp/wait', { until: { contract: { ...target, statusAtLeast: status } } })
  await expect.poll(() => call(frontend, 'cacp/contract/get').catch(() => null), BOUND).not.toBeNull()
  await call(frontend, 'cacp/contract/respond', { action: 'agree' })
  await reaches(backend, 'agreed')
  for (const [at, files] of [[backend, []] as const, [frontend, ['user.ts']] as const]) {
    await call(at, 'cacp/implementation/start')
    await call(at, 'cacp/implementation/complete', { files })
  }
  await reaches(frontend, 'implemented')
  const evidence = [{ kind: 'run', command: 'npm run e2e', exitCode: 0 }]
  await call(frontend, 'cacp/implementation/verify', { result: 'success', evidence })
  await reaches(backend, 'verified')
  return target
}
