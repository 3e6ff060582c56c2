import { request } from 'undici'

/** An agent of the demo: where it is, and the header that the reference's client sends there. */
export interface DemoAgent {
  readonly url: string
  readonly agentId: string
  /** It refuses what comes before it has heard of it, so it is asked until it has: the reference, behind a cacpd. */
  readonly isHasty?: boolean
}

export interface DemoEnd {
  readonly projectId: string
  readonly contractId: string
  /** What each call answered, in order. */
  readonly said: readonly { readonly method: string; readonly result: Record<string, unknown> }[]
}

const MOST_TRIES = 500

const REPOS = [
  { name: 'backend-api', role: 'backend', language: 'python' },
  { name: 'frontend-app', role: 'frontend', language: 'typescript' },
]

/**
 * The calls of the reference's two-agent demo in its order, each as soon as the one before was answered, with the
 * headers of its client: a UUID-like id, X-Agent-ID, never a key. It stops at the first error, as the demo does.
 */
export async function playTwoAgentDemo(backend: DemoAgent, frontend: DemoAgent): Promise<DemoEnd> {
  const said: { method: string; result: Record<string, unknown> }[] = []

  async function call(
    agent: DemoAgent,
    method: string,
    params: object,
    tries = 0,
  ): Promise<Record<string, unknown>> {
    const id = `call-${said.length}`
    const { statusCode, body } = await request(agent.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-agent-id': agent.agentId },
      body: JSON.stringify({ jsonrpc: '2.0', method, params, id }),
    })
    const answer = (await body.json()) as { id: unknown; result: Record<string, unknown>; error?: unknown }
    if (agent.isHasty === true && 'error' in answer && tries < MOST_TRIES) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return call(agent, method, params, tries + 1)
    }
    if (statusCode !== 200 || 'error' in answer || answer.id !== id)
      throw new Error(`${method} at ${agent.agentId}: ${statusCode} ${JSON.stringify(answer)}`)
    said.push({ method, result: answer.result })
    return answer.result
  }

  for (const { url, agentId } of [backend, frontend]) {
    const health = await request(`${url}/health`, { headers: { 'x-agent-id': agentId } })
    if (health.statusCode !== 200) throw new Error(`/health of ${agentId}: ${health.statusCode}`)
    await health.body.dump()
  }
  const created = await call(backend, 'cacp/project/create', {
    name: 'User Profile',
    objective: 'Show the profile of whoever is logged in',
    repos: REPOS,
  })
  const projectId = String(created['projectId'])
  await call(frontend, 'cacp/project/join', {
    projectId,
    repoName: 'frontend-app',
    agentEndpoint: frontend.url,
  })
  const proposed = await call(backend, 'cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User Profile',
    content: { method: 'GET', path: '/api/v1/users/profile' },
  })
  const contractId = String(proposed['contractId'])
  const at = { projectId, contractId }
  const related = { projectId, relatedContracts: [contractId] }
  await call(frontend, 'cacp/contract/respond', { ...at, action: 'agree', comment: 'Looks good!' })
  await call(backend, 'cacp/context/shareCode', {
    ...related,
    language: 'python',
    file: 'auth/jwt.py',
    snippet: 'def verify_token(token: str) -> dict: ...',
    explanation: 'JWT verification',
  })
  await call(frontend, 'cacp/context/askQuestion', {
    ...related,
    question: 'Should we use JWT or session cookies?',
    options: ['JWT tokens', 'Session cookies'],
  })
  await call(backend, 'cacp/context/recordDecision', {
    ...related,
    decision: 'Authentication method',
    chosen: 'JWT tokens',
    rationale: 'Stateless',
  })
  const plans = [
    { agent: backend, plan: 'With an ORM', estimatedFiles: ['src/routes/user.py'] },
    { agent: frontend, plan: undefined, estimatedFiles: ['src/Profile.tsx'] },
  ]
  for (const { agent, ...plan } of plans) await call(agent, 'cacp/implementation/start', { ...at, ...plan })
  for (const { agent, estimatedFiles: files } of plans)
    await call(agent, 'cacp/implementation/complete', { ...at, files })
  await call(frontend, 'cacp/implementation/verify', { ...at, result: 'success', notes: 'Works' })
  return { projectId, contractId, said }
}
