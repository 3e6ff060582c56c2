import { setTimeout as sleep } from 'node:timers/promises'
import { callOnce } from './http-request.ts'
import { addPeer, getContract, listPeers } from './material.ts'
import type { Running, RunningDaemon } from './workshop.ts'

/** What the parts about replication do with daemons. */

/** As an operator does it: both know each other afterwards. */
export const connectWith = (one: Running, other: Running): Promise<unknown> =>
  callOnce(one, addPeer(urlOf(other)))

export const urlOf = ({ port }: Running): string => `http://127.0.0.1:${port}`

/** Has one daemon know another one under an address of our choice, and tells the other one nothing. */
export async function introduce(to: Running, peer: RunningDaemon, endpoint: string): Promise<void> {
  const { agentId, repo } = peer
  const answer = await fetch(`${urlOf(to)}/peers/register`, {
    method: 'POST',
    headers: { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agentId, endpoint, repoName: repo }),
  })
  if (!answer.ok) throw new Error(`A daemon would not know ${endpoint}: ${await answer.text()}`)
}

export async function statementsOf(daemon: Running): Promise<number> {
  const answer = await fetch(`${urlOf(daemon)}/health`, {
    headers: { authorization: `Bearer ${daemon.key}` },
  })
  const { store } = (await answer.json()) as { store: { statements: number } }
  return store.statements
}

/** Whether one daemon keeps as much as another. */
export async function holdsAllOf(one: Running, other: Running): Promise<boolean> {
  const [mine, theirs] = await Promise.all([statementsOf(one), statementsOf(other)])
  return mine >= theirs
}

/** Whether every peer of this daemon has everything. */
export async function hasToldAll(daemon: Running): Promise<boolean> {
  const { peers } = await callOnce<{ peers: { health: string; behind: number | null }[] }>(
    daemon,
    listPeers(),
  )
  return peers.every(({ health, behind }) => health === 'healthy' && behind === 0)
}

export const holds = (daemon: Running, projectId: string, contractId: string): Promise<boolean> =>
  callOnce(daemon, getContract(projectId, contractId)).then(
    () => true,
    () => false,
  )

const LONGEST_MS = 120_000

/** Looks again and again; fails when it takes forever. */
export async function until(
  what: string,
  look: () => Promise<boolean>,
  everyMs: number,
  longestMs = LONGEST_MS,
): Promise<void> {
  const begin = performance.now()
  while (!(await look())) {
    if (performance.now() - begin > longestMs) throw new Error(`Not within ${longestMs} ms: ${what}`)
    await sleep(everyMs)
  }
}
