import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { callAll, callOnce } from '../http-request.ts'
import { createProject, joinAs, propose } from '../material.ts'
import { median } from '../rounds.ts'

const CONTRACTS = 1000
const OTHER = 'aid://example.com/frontend-app@1.0.0'
const RUN = [{ kind: 'run', command: 'npm run e2e', exitCode: 0 }]
/** What is done with every contract, and by whom where it is not the daemon's own agent. */
const STEPS: readonly (readonly [method: string, more: object, agent?: string])[] = [
  ['cacp/contract/respond', { action: 'agree' }, OTHER],
  ['cacp/implementation/start', {}],
  ['cacp/implementation/start', {}, OTHER],
  ['cacp/implementation/complete', { files: [] }],
  ['cacp/implementation/complete', { files: [] }, OTHER],
  ['cacp/implementation/verify', { result: 'success', evidence: RUN }],
]

/** Whether a repository may merge, where it has many contracts that are all agreed, built and verified. */
export async function gate({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin(`gate over ${CONTRACTS} contracts`)
  const daemon = await workshop.daemon(workshop.folder())
  const { projectId } = await callOnce<{ projectId: string }>(daemon, createProject(1))
  await callOnce(daemon, { ...joinAs(projectId, 'frontend-app'), agent: OTHER })
  const numbers = Array.from({ length: CONTRACTS }, (_, index) => index + 1)
  const proposed = await callAll<{ contractId: string }>(
    daemon,
    numbers.map((number) => propose(projectId, number)),
  )
  const targets = proposed.map(({ contractId }) => ({ projectId, contractId }))
  for (const [method, more, agent] of STEPS) {
    progress.step(method)
    await callAll(
      daemon,
      targets.map((target) => ({ method, params: { ...target, ...more } })),
      agent,
    )
  }
  const timed = async (method: string) => {
    const times: number[] = []
    for (let round = 0; round < Math.ceil(15 / brevity); round++) {
      const began = performance.now()
      const { answer = 'yes' } = await callOnce<{ answer?: string }>(daemon, {
        method,
        params: { projectId },
      })
      times.push(performance.now() - began)
      if (answer !== 'yes') throw new Error(`the gate says ${answer}`)
    }
    return median(times)
  }
  const list = await timed('cacp/contract/list')
  const check = await timed('cacp/gate/check')
  await daemon.stop()
  return [
    figure({
      name: `gate over ${CONTRACTS} contracts`,
      unit: 'ms',
      ours: check,
      comparedWith: { name: 'a list of them', value: list },
      ratio: check / list,
      goal: { of: 'ours', most: 200 },
      notes: [
        'all of them agreed, complete on both sides and verified by a run, over HTTP; no files are declared: their digest has ' +
          'a row of its own',
      ],
    }),
  ]
}
