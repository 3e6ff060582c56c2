import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }

describe('cacpd summary', () => {
  let running: TestDaemon
  let cwd: string
  let projectId: string

  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = [
      { name: 'backend-api', role: 'backend' },
      { name: 'frontend-app', role: 'frontend' },
      { name: 'mobile-app', role: 'mobile' },
    ]
    const objective = 'Log in\n# from the app'
    ;({ projectId } = await running.rpc('cacp/project/create', { name: 'User Auth', objective, repos }))
    await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
    const contract = { projectId, type: 'api_endpoint', name: 'Get *User*', content: {} }
    const { contractId } = await running.rpc('cacp/contract/propose', contract)
    await running.rpc('cacp/contract/respond', { projectId, contractId, action: 'agree' }, FRONTEND)
    const decision = {
      projectId,
      decision: 'Auth, see #12',
      chosen: 'JWT',
      rationale: '@octocat <b>says</b> so',
    }
    await running.rpc('cacp/context/recordDecision', decision)
    await running.rpc('cacp/context/askQuestion', { projectId, question: 'Which\u001b[31m roles?' })
  })
  afterAll(() => running[Symbol.asyncDispose]())

  test('shows all of a project on one page', async () => {
    const { exitCode, out, err } = await cacpd(['summary'], { cwd })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out.replaceAll(/\d{4}-\d\d-\d\d/g, 'DATE')).toBe(`User Auth (planning)

Objective: Log in # from the app

Repositories
  backend-api (backend)
  frontend-app (frontend)
  mobile-app (mobile, not joined)

Contracts in force
  Get *User* (api endpoint) version 1: agreed, between backend-api, frontend-app

Decisions
  Auth, see #12: JWT, because @octocat <b>says</b> so (backend-api, DATE)

What is owed
  Get *User* version 1: backend-api, frontend-app to implement it (since DATE)
  backend-api asks Which [31m roles?: any repository to answer it (since DATE)
`)
  })

  test('writes Markdown in which what others wrote is nothing but words', async () => {
    const { out } = await cacpd(['summary', 'User Auth', '--markdown'], { cwd })
    expect(out).toContain(
      '# User Auth (planning)\n\nObjective: Log in # from the app\n\n## Repositories\n\n- ',
    )
    expect(out).toContain('\n- Get \\*User\\* (api endpoint) version 1: agreed')
    expect(out).toContain('#&#8203;12: JWT, because @&#8203;octocat \\<b\\>says\\</b\\> so')
  })

  test('takes the beginning of an id, and answers JSON', async () => {
    const { out } = await cacpd(['summary', projectId.slice(0, 13), '--json'], { cwd })
    expect(JSON.parse(out)).toMatchObject({ projectId, name: 'User Auth', truncated: false })
  })

  test.each([
    { words: ['nowhere'], says: /No project nowhere here/, code: 1 },
    { words: ['--markdown', '--json'], says: /one of the two/, code: 2 },
  ])('refuses $words', async ({ words, says, code }) => {
    const { exitCode, err, out } = await cacpd(['summary', ...words], { cwd })
    expect(err + out).toMatch(says)
    expect(exitCode).toBe(code)
  })
})
