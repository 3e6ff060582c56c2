import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import type { Load } from './load.ts'
import { createMinimalProject, createProject, getProject, propose, shareFivePackets } from './material.ts'
import { compare } from './rounds.ts'
import type { Running } from './workshop.ts'

const CONNECTIONS = 32

/** Design §9, row 1: reading a project, against a bare echo of the same request. */
export async function reads({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('cacp/project/get')
  const daemon = await workshop.daemon(workshop.folder())
  const echo = await workshop.server('echo-server.ts')
  const realistic = [getProject(await makeRealisticProject(daemon))]
  const { projectId } = await callOnce<{ projectId: string }>(daemon, createMinimalProject())
  const minimal = [getProject(projectId)]

  const amount = { ms: 1200 / brevity }
  const warmUp = { amount: { ms: 2500 / brevity } }
  const loads = await compare(
    { generator, progress, connections: CONNECTIONS, rounds: Math.ceil(9 / brevity) },
    {
      realistic: { server: daemon, calls: realistic, expect: 'result', amount, warmUp },
      minimal: { server: daemon, calls: minimal, expect: 'result', amount, warmUp },
      echo: { server: echo, calls: realistic, expect: 'echo', amount, warmUp },
    },
  )
  await Promise.all([daemon.stop(), echo.stop()])

  const against = (name: string, ours: Load, least: number | null) =>
    figure({
      name,
      unit: 'requests/s',
      ours: ours.perSecond,
      comparedWith: { name: 'bare echo', value: loads.echo.perSecond },
      ratio: ours.perSecond / loads.echo.perSecond,
      goal: least === null ? null : { of: 'ratio', least },
      notes: [
        `${CONNECTIONS} connections; p50 ${ours.p50Ms.toFixed(1)} ms, p99 ${ours.p99Ms.toFixed(1)} ms; ` +
          `our answer has ${ours.answerBytes} bytes, the echo's ${loads.echo.answerBytes}; ` +
          'nothing changes between the reads, so the text of the result comes from memory',
      ],
    })
  return [
    against('project/get ÷ echo (2 repos, 3 contracts, 5 packets)', loads.realistic, 0.5),
    against('project/get ÷ echo (1 repo, nothing else)', loads.minimal, null),
  ]
}

async function makeRealisticProject(daemon: Running): Promise<string> {
  const { projectId } = await callOnce<{ projectId: string }>(daemon, createProject(1))
  const contractIds: string[] = []
  for (const number of [1, 2, 3]) {
    const { contractId } = await callOnce<{ contractId: string }>(daemon, propose(projectId, number))
    contractIds.push(contractId)
  }
  for (const share of shareFivePackets(projectId, contractIds)) await callOnce(daemon, share)
  return projectId
}
