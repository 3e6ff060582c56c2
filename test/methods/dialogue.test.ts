import { describe, expect, test } from 'vitest'
import { METHODS } from '../../src/methods/table.ts'
import { BACKEND, FRONTEND, openDesk, openFeature } from '../support/desk/desk.ts'

/** The document's own story, method by method: what each call answers and what the next one then sees. */
describe('the dialogue of the document', () => {
  test('a project is created, joined, read and listed [cacp-project-1] [cacp-project-3] [cacp-create-1] [cacp-join-1] [cacp-get-1] [cacp-list-1]', async () => {
    await using desk = await openDesk()
    const created = await desk.call('cacp/project/create', {
      name: 'User Auth Feature',
      objective: 'Implement OAuth 2.0 login across frontend and backend',
      repos: [
        { name: 'backend-api', role: 'backend', language: 'python' },
        {
          name: 'frontend-app',
          role: 'frontend',
          language: 'typescript',
          relevantPaths: ['src/auth'],
          url: 'https://example.com/f.git',
        },
      ],
    })
    expect(created).toEqual({ projectId: expect.any(String), status: 'created', repoCount: 2 })
    const { projectId } = created

    const joined = await desk.as(FRONTEND)('cacp/project/join', {
      projectId,
      repoName: 'frontend-app',
      agentEndpoint: 'http://frontend-agent:8081',
    })
    expect(joined).toEqual({ repoId: expect.any(String), status: 'joined', projectName: 'User Auth Feature' })

    const project = await desk.call('cacp/project/get', { projectId })
    expect(project).toMatchObject({
      project_id: projectId,
      name: 'User Auth Feature',
      objective: 'Implement OAuth 2.0 login across frontend and backend',
      status: 'planning',
      contracts: [],
      context_history: [],
      repos: [
        {
          name: 'backend-api',
          role: 'backend',
          language: 'python',
          agent_id: BACKEND,
          assigned_agent: BACKEND,
        },
        {
          repo_id: joined.repoId,
          name: 'frontend-app',
          agent_id: FRONTEND,
          agent_endpoint: 'http://frontend-agent:8081',
          relevant_paths: ['src/auth'],
          url: 'https://example.com/f.git',
        },
      ],
    })
    expect(project.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(project.updated_at >= project.created_at).toBe(true)

    const { projects } = await desk.call('cacp/project/list', {})
    expect(projects).toEqual([
      { ...project, projectId, repoCount: 2, contractCount: 0, createdAt: project.created_at },
    ])
  })

  test('a contract goes from proposal over negotiation to agreement [cacp-propose-1] [cacp-respond-1] [cacp-update-1] [cacp-contract-3] [cacp-respond-2]', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const first = { method: 'GET', path: '/api/v1/users/profile' }
    const second = { ...first, responseBody: { type: 'object' } }

    const proposed = await backend('cacp/contract/propose', {
      projectId,
      type: 'api_endpoint',
      name: 'Get User Profile',
      content: first,
    })
    expect(proposed).toMatchObject({ contractId: expect.any(String), version: 1, status: 'proposed' })
    const { contractId } = proposed

    expect(
      await frontend('cacp/contract/respond', {
        projectId,
        contractId,
        action: 'request_change',
        comment: 'avatar may be missing',
        suggestedChange: { avatar: 'nullable' },
      }),
    ).toMatchObject({
      status: 'change_requested',
      version: 1,
      contractVersion: 1,
      contractStatus: 'negotiating',
    })

    expect(
      await backend('cacp/contract/update', {
        projectId,
        contractId,
        content: second,
        changeNote: 'Made avatar field nullable',
      }),
    ).toMatchObject({ contractId, version: 2, status: 'proposed' })

    expect(
      await frontend('cacp/contract/respond', {
        projectId,
        contractId,
        action: 'agree',
        comment: 'Looks good!',
      }),
    ).toEqual({
      status: 'agreed',
      version: 2,
      contractVersion: 2,
      contractStatus: 'agreed',
    })

    const contract = await frontend('cacp/contract/get', { projectId, contractId, includeHistory: true })
    expect(contract).toMatchObject({
      version: 2,
      status: 'agreed',
      content: second,
      history: [{ version: 1, content: first, change_notes: '' }],
      head: { change_notes: 'Made avatar field nullable' },
      responses: [
        {
          action: 'request_change',
          version: 1,
          comment: 'avatar may be missing',
          suggested_change: { avatar: 'nullable' },
          agent_id: FRONTEND,
        },
        { action: 'agree', version: 2, comment: 'Looks good!' },
      ],
    })
    expect(await frontend('cacp/contract/get', { projectId, contractId })).not.toHaveProperty('history')
  })

  test('context is shared, asked, decided and read back as a thread [cacp-share-1] [cacp-ask-1] [cacp-decide-1] [cacp-context-1]', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Auth',
      content: {},
    })

    const snippet = {
      language: 'python',
      file: 'auth/jwt.py',
      snippet: 'def verify_token(): ...',
      explanation: 'JWT',
    }
    const shared = await backend('cacp/context/share', {
      projectId,
      type: 'code_snippet',
      content: snippet,
      relatedContracts: [contractId],
    })
    expect(shared).toEqual({ packetId: expect.any(String), status: 'shared' })

    const asked = await frontend('cacp/context/askQuestion', {
      projectId,
      question: 'Should we use JWT or session cookies for auth?',
      options: ['JWT tokens', 'Session cookies', 'OAuth tokens'],
      urgent: false,
      relatedContracts: [contractId],
    })
    const decided = await backend('cacp/context/recordDecision', {
      projectId,
      decision: 'Authentication method',
      chosen: 'JWT tokens',
      rationale: 'Better for stateless API, works across services',
      implications: ['Frontend must store token securely'],
      relatedContracts: [contractId],
      replyTo: asked.packetId,
    })
    const followUp = await frontend('cacp/context/shareTypes', {
      projectId,
      language: 'typescript',
      definitions: 'type Token = string',
      replyTo: decided.packetId,
    })

    const { thread } = await frontend('cacp/context/getThread', { projectId, packetId: decided.packetId })
    expect(thread.map((packet) => packet.packet_id)).toEqual([
      asked.packetId,
      decided.packetId,
      followUp.packetId,
    ])
    expect(thread[0]).toMatchObject({
      type: 'question',
      from_agent: FRONTEND,
      content: {
        question: 'Should we use JWT or session cookies for auth?',
        options: ['JWT tokens', 'Session cookies', 'OAuth tokens'],
        urgent: false,
      },
      related_contracts: [contractId],
      reply_to: null,
    })
    expect(thread[1]).toMatchObject({
      type: 'decision',
      content: { chosen: 'JWT tokens', implications: ['Frontend must store token securely'] },
    })

    const { packets } = await frontend('cacp/context/list', { projectId, contractId, type: 'code_snippet' })
    expect(packets).toMatchObject([{ packet_id: shared.packetId, content: snippet }])
  })

  test('an agreed contract is implemented by both repos and verified [cacp-start-1] [cacp-complete-1] [cacp-verify-1] [cacp-project-2]', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const statusNow = async () => (await backend('cacp/project/get', { projectId })).status
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Auth',
      content: {},
    })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    expect(await statusNow()).toBe('planning')

    const started = await backend('cacp/implementation/start', {
      projectId,
      contractId,
      plan: 'Will implement GET endpoint with SQLAlchemy ORM',
      estimatedFiles: ['src/routes/user.py'],
    })
    expect(started).toEqual({
      status: 'started',
      implementationId: expect.stringContaining(`${contractId}:`),
      contractStatus: 'agreed',
    })
    expect(await statusNow()).toBe('implementing')
    await frontend('cacp/implementation/start', { projectId, contractId })
    const underway = [
      { status: 'in_progress', plan: expect.any(String), files: ['src/routes/user.py'] },
      { status: 'in_progress', plan: null, files: [] },
    ]
    expect((await backend('cacp/contract/get', { projectId, contractId })).implementations).toMatchObject(
      underway,
    )
    const { contracts } = await backend('cacp/project/get', { projectId })
    expect(contracts[0]?.implementations).toMatchObject(underway)
    const status = await backend('cacp/implementation/getStatus', { projectId, contractId })
    expect(status.implementations[0]).toMatchObject({ files: ['src/routes/user.py'] })

    for (const file of ['src/routes/user.py', 'src/models/user.py']) desk.repository.set(file, 'built')
    expect(
      await backend('cacp/implementation/complete', {
        projectId,
        contractId,
        files: ['src/routes/user.py', 'src/models/user.py'],
        notes: 'done',
        testEndpoint: 'http://127.0.0.1:9000',
      }),
    ).toEqual({ status: 'complete', contractStatus: 'agreed' })
    expect(await backend('cacp/implementation/getStatus', { projectId, contractId })).toMatchObject({
      contractStatus: 'agreed',
      implementations: expect.arrayContaining([
        expect.objectContaining({
          agentId: BACKEND,
          status: 'complete',
          files: ['src/routes/user.py', 'src/models/user.py'],
        }),
        expect.objectContaining({ agentId: FRONTEND, status: 'in_progress' }),
      ]),
    })
    expect(
      await frontend('cacp/implementation/complete', { projectId, contractId, files: ['src/user.ts'] }),
    ).toEqual({
      status: 'complete',
      contractStatus: 'implemented',
    })
    expect(await statusNow()).toBe('integrating')

    expect(
      await frontend('cacp/implementation/verify', {
        projectId,
        contractId,
        result: 'partial',
        notes: 'one test flaky',
      }),
    ).toEqual({
      status: 'partial',
      contractStatus: 'implemented',
    })
    expect(
      await frontend('cacp/implementation/verify', {
        projectId,
        contractId,
        result: 'failure',
        failureDetails: { test: 'login' },
      }),
    ).toEqual({ status: 'failed', contractStatus: 'agreed' })
    const failed = await backend('cacp/contract/get', { projectId, contractId })
    expect(failed.implementations.map((one) => one.status)).toEqual(['needs_revision', 'needs_revision'])
    expect(failed.implementations[0]).toMatchObject({
      plan: expect.any(String),
      estimated_files: expect.any(Array),
    })
    expect(failed.verifications.at(-1)).toMatchObject({
      result: 'failure',
      failure_details: { test: 'login' },
    })

    await backend('cacp/implementation/complete', { projectId, contractId, files: ['src/routes/user.py'] })
    await frontend('cacp/implementation/complete', { projectId, contractId, files: ['src/user.ts'] })
    expect(
      await frontend('cacp/implementation/verify', {
        projectId,
        contractId,
        result: 'success',
        notes: 'Integration tests passing',
      }),
    ).toEqual({ status: 'verified', contractStatus: 'verified' })
    expect(await statusNow()).toBe('complete')
  })
})

describe('every row of the table', () => {
  test.each(METHODS.map((row) => [row.name, row] as const))(
    '%s has an example that fits its own schemas',
    (_name, row) => {
      expect(row.params.safeParse(row.example.params)).toMatchObject({ success: true })
      expect(row.result.safeParse(row.example.result)).toMatchObject({ success: true })
    },
  )
})
