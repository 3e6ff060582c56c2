import { expect, test } from 'vitest'
import { servePlainPeer } from '../support/plain-peer/server.ts'
import { connect, held, projectAt, quiet, REPOS, start, syncs } from './plain-story.ts'

const ACTS = 120

/** A number from 0 to 1, the same ones for the same seed. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Shown {
  contract_id: string
  version: number
  status: string
  content: { act: number }
  history: { content: { act: number } }[]
}

const brief = (contracts: readonly Shown[]) =>
  contracts
    .map(({ contract_id, version, status, content }) => [contract_id, version, status, content.act])
    .sort()

test.each([1, 2, 3])(
  'whatever two daemons and a plain peer do at once, they end up equal (seed %i)',
  async (seed) => {
    const random = dice(seed * 7919)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    await using plain = await servePlainPeer()
    await using backend = await start()
    await using frontend = await start({ repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' })
    await connect(backend, frontend)
    await connect(backend, plain)
    await connect(frontend, plain)
    const repos = [...REPOS, { name: 'frontend-app', role: 'frontend', language: 'typescript' }]
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'P', objective: 'o', repos })
    await expect.poll(() => held(plain, projectId)).toBeDefined()
    await expect.poll(() => projectAt(frontend, projectId)).toBeDefined()
    await frontend.rpc('cacp/project/join', { projectId })
    await plain.peer.call('cacp/project/join', { projectId, repoName: 'plain-api' })

    const callers = [
      backend.rpc,
      frontend.rpc,
      (method: string, params: object) => plain.peer.call(method, params),
    ]
    const contracts: string[] = []
    const acknowledged: number[] = []
    let isAway = false
    /** Refusals are answers like any other: not every act fits the state that it meets. */
    const perform = async (act: number) => {
      const call = pick(callers)
      const on = { projectId, contractId: pick(contracts) }
      const content = { act }
      const roll = random()
      if (roll < 0.15 || contracts.length === 0) {
        const proposal = { projectId, type: 'custom', name: `C${act}`, content }
        contracts.push((await call('cacp/contract/propose', proposal)).contractId)
        acknowledged.push(act)
      } else if (roll < 0.3) {
        await call('cacp/contract/update', { ...on, content, changeNotes: `note ${act}` })
        acknowledged.push(act)
      } else if (roll < 0.4) {
        await call('cacp/context/share', { projectId, type: 'test_case', content })
        acknowledged.push(act)
      } else if (roll < 0.6) {
        const action = pick(['agree', 'agree', 'request_change', 'reject'])
        await call('cacp/contract/respond', { ...on, action })
      } else if (roll < 0.72) await call('cacp/implementation/start', { ...on, plan: `plan ${act}` })
      else if (roll < 0.87) await call('cacp/implementation/complete', { ...on, files: [`${act}.ts`] })
      else if (roll < 0.95)
        await call('cacp/implementation/verify', { ...on, result: pick(['success', 'failure', 'partial']) })
      else {
        isAway = !isAway
        await (isAway ? plain.stop() : plain.start())
      }
    }
    for (let act = 0; act < ACTS; act++) {
      const acting = perform(act).catch(() => {})
      if (random() < 0.6 || isAway) await acting
      if (random() < 0.3) await new Promise((resolve) => setTimeout(resolve, random() * 60))
    }
    if (isAway) await plain.start()

    await quiet(plain)
    const [here, there] = [await projectAt(backend, projectId), await projectAt(frontend, projectId)]
    expect(there).toEqual(here)
    expect(brief(held(plain, projectId)?.contracts as unknown as Shown[])).toEqual(brief(here.contracts))
    expect(held(plain, projectId)?.context_history.length).toBe(here.context_history.length)
    const kept = new Set([
      ...here.context_history.map((packet: { content: { act: number } }) => packet.content.act),
      ...here.contracts.flatMap((one: Shown) => [
        one.content.act,
        ...one.history.map((past) => past.content.act),
      ]),
    ])
    expect(acknowledged.filter((act) => !kept.has(act))).toEqual([])
    expect(syncs(plain).length).toBeLessThan(3 * ACTS)
  },
)
