import { expect, test } from 'vitest'
import { bothHealthy, FRONTEND, pair } from '../cluster/pairs.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { type Agent, agentAt, agentOver, mcpProcess } from '../support/daemons/mcp.ts'

const MOST_TURNS = 20

interface Step {
  readonly tool: string
  readonly input: Record<string, unknown>
}
/** What an agent makes of what its inbox says; undefined: leave it to the other side. */
type Decide = (step: Step) => Step | undefined

/** The call that the first item of an inbox, or an answer, says comes next. */
function nextIn(text: string): Step | undefined {
  const [, tool = '', json = ''] = /next: (\w+) (\{.*\})/.exec(text) ?? []
  return tool === '' ? undefined : { tool, input: JSON.parse(json) }
}

const idIn = (text: string, word: string): string => new RegExp(`^${word} (\\S+)`, 'm').exec(text)?.[1] ?? ''

/** Does what its inbox says, and waits when that is empty, until the contract is verified. */
async function work(agent: Agent, target: object, decide: Decide): Promise<string[]> {
  const done: string[] = []
  const isVerified = { contract: { ...target, statusAtLeast: 'verified' } }
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const step = nextIn(await agent.use('inbox'))
    const wanted = step === undefined ? undefined : decide(step)
    if (wanted !== undefined) {
      await agent.use(wanted.tool, wanted.input)
      done.push(`${wanted.tool} ${wanted.input['action'] ?? ''}`.trim())
      if (wanted.input['action'] === 'start') {
        const complete = { ...target, action: 'complete', files: ['src/session.ts'], notes: 'with tests' }
        await agent.use('implementation', complete)
        done.push('implementation complete')
      }
      continue
    }
    const until = step === undefined ? { any: [isVerified, { inbox: {} }] } : isVerified
    const told = await agent.use('wait', { until })
    if (told.startsWith('met: ') && told.includes('"statusAtLeast":"verified"')) return done
  }
  throw new Error(`not verified after ${done.join(', ')}`)
}

/** What it puts in the place that is its own to fill. */
const RUN = [{ kind: 'run', command: 'npm run e2e', exitCode: 0 }]

test('two agents bring a contract of two repositories to verified with tools and waits alone, one over stdio and one over HTTP', async () => {
  await using backend = await daemon()
  await using frontend = await daemon(FRONTEND)
  await pair(backend, frontend)
  await bothHealthy(backend, frontend)

  const proposer = async (): Promise<string[]> => {
    await using agent = await agentOver(
      mcpProcess({ cwd: '/', words: ['--data', backend.dataDir] }),
      '2025-11-25',
    )
    const repos = ['backend-api', 'frontend-app']
    const create = { action: 'create', name: 'Login', objective: 'log in with a session', repos }
    const projectId = idIn(await agent.use('project', create), 'project')
    const content = { path: '/session', response: { email: 'string' } }
    const proposal = { projectId, type: 'api_endpoint', name: 'Session', content }
    const contractId = idIn(await agent.use('contract_propose', proposal), 'contract')
    return await work(agent, { projectId, contractId }, (step) => {
      if (step.tool === 'contract_update') {
        const better = { path: '/session', response: { email: 'string or null' } }
        return { ...step, input: { ...step.input, content: better, changeNote: 'email may be missing' } }
      }
      // The other side tries it.
      return step.input['action'] === 'verify' ? undefined : step
    })
  }

  const responder = async (): Promise<string[]> => {
    await using agent = await agentAt(frontend, '2026-07-28')
    // Nobody told it of the project: its inbox does, and what to do first is to join.
    await agent.use('wait')
    const { tool, input } = nextIn(await agent.use('inbox')) ?? expect.fail('no invitation')
    const { projectId } = input
    expect({ tool, input }).toEqual({ tool: 'project', input: { projectId, action: 'join' } })
    await agent.use(tool, input)
    await agent.use('wait')
    const { contractId } = nextIn(await agent.use('inbox'))?.input ?? {}
    const target = { projectId, contractId }
    return await work(agent, target, (step) => {
      if (step.input['action'] === 'verify') return { ...step, input: { ...step.input, evidence: RUN } }
      if (step.tool !== 'contract_respond') return step
      const isFirst = step.input['version'] === 1
      const change = { action: 'request_change', comment: 'email may be null' }
      return isFirst ? { ...step, input: { ...step.input, ...change } } : step
    })
  }

  const [proposed, responded] = await Promise.all([proposer(), responder()])
  expect(proposed).toEqual(['contract_update', 'implementation start', 'implementation complete'])
  // Its item says to wait for the objection to be met, as often as it takes.
  expect(responded.filter((step) => step !== 'wait')).toEqual([
    'contract_respond request_change',
    'contract_respond agree',
    'implementation start',
    'implementation complete',
    'implementation verify',
  ])
  for (const at of [backend, frontend]) {
    const { projects } = await at.rpc('cacp/project/overview')
    const [{ projectId }] = projects
    const { contracts } = await at.rpc('cacp/contract/list', { projectId })
    expect(contracts).toEqual([expect.objectContaining({ name: 'Session', version: 2, status: 'verified' })])
  }

  await using agent = await agentAt(backend, '2026-07-28')
  const order = { peer: 'frontend-app', workType: 'echo', parameters: { text: 'hello there' } }
  const told = await agent.use('work_send', order)
  expect(told).toMatch(/^work \S+ at «frontend-app»: completed, 100 %, exit code 0\n.*data:\n".*hello there/)
  expect(await agent.use('work_send', { workId: idIn(told, 'work') })).toBe(told)
}, 120_000)
