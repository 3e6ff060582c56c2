import type { EntityName } from '../../../src/domain/change.ts'
import { toPlainContract } from '../../../src/domain/plain/phrase.ts'
import { acknowledging, formOf, sending } from '../../../src/domain/plain/shadow.ts'
import { repoIdOf } from '../../../src/domain/statements/shared-fields.ts'
import type { ProjectView, View } from '../../../src/domain/view.ts'
import type { ContractEntity } from '../../../src/domain/views/entities.ts'
import { type Desk, openDesk } from '../desk/desk.ts'

export const PLAIN = 'agent-plain-api'
export const asPlain = { caller: { kind: 'peer' as const, agentId: PLAIN, repoName: 'plain-api' } }

type Plain = ReturnType<typeof toPlainContract>

/** A desk with a plain peer that holds a repo of a project, and a contract of the desk's own agent in it. */
export interface PlainDesk extends AsyncDisposable {
  readonly desk: Desk
  readonly projectId: string
  readonly contractId: string
  /** The peer's own repo, and that of the desk's agent. */
  readonly plainRepo: string
  readonly backendRepo: string
  found(): ProjectView
  contract(): ContractEntity
  /** Acts as the desk's agent on the contract. */
  act(method: string, params?: object): Promise<unknown>
  /** The contract as the reference holds it after it took it: with times of its own. */
  held(changes?: Partial<Plain>): Plain
  /** From now on the peer is known to hold what is here; or only that it was sent. */
  know(name?: Partial<EntityName>, isTaken?: boolean): Promise<void>
  /** The peer sends the contract. */
  show(contract: object): Promise<unknown>
  /** The peer sends something else. */
  send(method: string, params: object): Promise<unknown>
}

export const naive = (stamp: string): string => stamp.slice(0, -1)

export async function approve(desk: Desk, agentId: string, more: object = {}): Promise<void> {
  const now = desk.clock.now()
  const value = {
    agent_id: agentId,
    endpoint: 'http://plain:1',
    repo_name: 'plain-api',
    trust: 'approved' as const,
    registered_at: now,
    last_seen: now,
    ...more,
  }
  await desk.store.commit(() => ({ result: undefined, local: [{ table: 'peer', id: agentId, value }] }))
}

export async function openPlainDesk(): Promise<PlainDesk> {
  const desk = await openDesk()
  await approve(desk, PLAIN)
  const { projectId } = await desk.call('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: [{ name: 'backend-api' }, { name: 'plain-api' }],
  })
  const plainRepo = repoIdOf(projectId, 'plain-api')
  const send = (method: string, params: object) => desk.send(method, { projectId, ...params }, asPlain)
  const [repo] = (await desk.call('cacp/project/get', { projectId })).repos.filter(
    ({ repo_id }) => repo_id === plainRepo,
  )
  await send('cacp/repo/sync', { repo: { ...repo, assigned_agent: PLAIN, agent_endpoint: 'http://plain:1' } })
  const proposal = { projectId, type: 'custom' as const, name: 'Me', content: { v: 1 } }
  const { contractId } = await desk.call('cacp/contract/propose', proposal)
  const found = () => desk.store.view.projects.get(projectId) as ProjectView
  const contract = () => found().contracts.get(contractId) as ContractEntity
  const held = (changes: Partial<Plain> = {}): Plain => {
    desk.clock.advance(1)
    const stamp = naive(desk.clock.now())
    const plain = toPlainContract(contract(), (repoId) => repoId)
    const history = plain.history.map((one) => ({ ...one, timestamp: stamp }))
    desk.clock.advance(1)
    return { ...plain, history, updated_at: naive(desk.clock.now()), ...changes }
  }
  return {
    desk,
    projectId,
    contractId,
    plainRepo,
    backendRepo: repoIdOf(projectId, 'backend-api'),
    found,
    contract,
    act: (method, params = {}) => desk.send(method, { projectId, contractId, ...params }),
    held,
    know: async (given = {}, isTaken = true) => {
      const name = { kind: 'contract', project_id: projectId, id: contractId, ...given } as const
      const form = formOf(name, found())
      if (form === undefined) throw new Error('nothing is here of that')
      const commit = (tell: (view: View) => ReturnType<typeof acknowledging>) =>
        desk.store.commit((view) => ({ result: undefined, local: tell(view) }))
      await commit((view) => [sending(view, PLAIN, name, form)])
      if (isTaken) await commit((view) => acknowledging(view, PLAIN, name, form))
    },
    show: (shown) => send('cacp/contract/sync', { contract: shown }),
    send,
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  }
}
