import type { Change } from '../../src/domain/change.ts'
import { conflictsOf } from '../../src/domain/contract.ts'
import { renderProject } from '../../src/domain/render.ts'
import { activeClaim } from '../../src/domain/repo.ts'
import type { PeerReport } from '../../src/methods/services.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'
import { FORBIDDEN, HOSTILE } from './hostile.ts'
import { repoNames } from './operations.ts'
import { agentOf, repoOf, type SimDaemon } from './sim-daemon.ts'
import { PLAIN } from './sim-plain.ts'
import { holds, type State, stateOf, textOf } from './state.ts'
import { components } from './topology.ts'
import type { World } from './world.ts'

/** Which daemons have to agree about a project: those that may see it, as far as they reach each other. */
function circlesOf(world: World, projectId: string): SimDaemon[][] {
  const holders = world.daemons.flatMap((daemon) => daemon.life.store.view.projects.get(projectId) ?? [])
  const isOpen = holders.every(({ project }) => project.visibility === 'all')
  const names = new Set(holders.flatMap(repoNames))
  const nodes = world.daemons.flatMap((daemon, index) =>
    isOpen || names.has(repoOf(daemon.name)) ? [index] : [],
  )
  return components(new Set(nodes), world.edges).map((group) =>
    group.flatMap((index) => world.daemons[index] ?? []),
  )
}

function projectIds(world: World): Set<string> {
  return new Set(
    world.daemons.flatMap((daemon) =>
      Array.from(daemon.life.store.view.projects.oldestFirst(), ({ project }) => project.project_id),
    ),
  )
}

const partsIn = (state: State, projectId: string): Map<string, Change> =>
  new Map([...state].filter(([, change]) => change.project_id === projectId))

/** The first difference between daemons that should agree, in words. */
export function findDifference(world: World): string | undefined {
  const states = new Map(world.daemons.map((daemon) => [daemon, stateOf(daemon.life.store)]))
  for (const projectId of projectIds(world)) {
    for (const circle of circlesOf(world, projectId)) {
      const [first, ...others] = circle.map((daemon) => ({
        daemon,
        parts: partsIn(states.get(daemon) ?? new Map(), projectId),
      }))
      if (first === undefined) continue
      for (const other of others) {
        const key = [...new Set([...first.parts.keys(), ...other.parts.keys()])].find(
          (one) => textAt(first.parts, one) !== textAt(other.parts, one),
        )
        if (key !== undefined)
          return `${key} differs: ${first.daemon.name} has ${textAt(first.parts, key)}, ${other.daemon.name} has ${textAt(other.parts, key)}`
      }
    }
  }
  return undefined
}

function textAt(parts: State, key: string): string {
  const change = parts.get(key)
  return change === undefined ? 'nothing' : textOf(change)
}

/** Everybody is up and agrees, and every cursor has come to its end. */
export function isConverged(world: World): boolean {
  if (world.up.length < world.daemons.length || findDifference(world) !== undefined) return false
  return findUnfinished(world) === undefined
}

export function findUnfinished(world: World): string | undefined {
  for (const daemon of world.daemons)
    for (const peer of daemon.life.engine.services.peers.list()) {
      if (peer.agentId === agentOf(HOSTILE)) continue
      // Where only digests are compared, no cursor moves.
      if (world.mode === 'digest' && peer.agentId !== agentOf(PLAIN)) continue
      if (peer.agentId === agentOf(PLAIN) && isOnlyForeign(peer, { world, daemon })) continue
      if (peer.behind !== 0 || peer.aside.length > 0)
        return `${daemon.name} has not handed everything to ${peer.agentId}: ${JSON.stringify(peer)}`
    }
  return undefined
}

/**
 * A plain peer cannot give back what others wrote: it speaks for its own repo, also after a disk was lost. Nor does it
 * for a repo that it claimed at the same time as somebody else, before it heard that the other one got it.
 */
function isOnlyForeign(
  { behind, aside }: PeerReport,
  { world, daemon }: { world: World; daemon: SimDaemon },
): boolean {
  const keys = new Set(aside.map(({ key }) => key))
  if ((behind ?? 0) > keys.size) return false
  return aside.every(
    ({ key, reason }) =>
      reason.includes('speaks for its own repo only') && (world.isMemoryLost || isOutvoted(daemon, key)),
  )
}

/** Whether the plain peer claimed a repo of the project that this key is of, and does not hold it. */
function isOutvoted(daemon: SimDaemon, key: string): boolean {
  const [, projectId = ''] = key.split(' ')
  const found = daemon.life.store.view.projects.get(projectId)
  if (found === undefined) return false
  return Array.from(found.repos.oldestFirst()).some(
    (repo) =>
      repo.claims.some(({ agent_id }) => agent_id === agentOf(PLAIN)) &&
      activeClaim(repo, found.project)?.agent_id !== agentOf(PLAIN),
  )
}

/** Everything that has to be true of daemons that have converged. */
export function checkAll(world: World): void {
  checkDerived(world)
  checkAcknowledged(world)
  checkSettled(world)
  checkVisibility(world)
  checkHostile(world)
}

/** What is derived is equal where what it is derived from is. */
function checkDerived(world: World): void {
  for (const projectId of projectIds(world))
    for (const circle of circlesOf(world, projectId)) {
      const texts = circle.map(({ life }) => {
        const found = life.store.view.projects.get(projectId)
        return found === undefined ? 'nothing' : canonicalText(renderProject(found))
      })
      if (new Set(texts).size > 1) world.fail(`${projectId} is rendered in ${new Set(texts).size} ways`)
    }
}

function checkAcknowledged(world: World): void {
  const states = new Map(world.daemons.map((daemon) => [daemon, stateOf(daemon.life.store)]))
  const texts = new Map(
    Array.from(states, ([daemon, state]) => [daemon, Array.from(state.values(), textOf).join('\n')]),
  )
  for (const { daemon: origin, method, tag, changes, isExcused } of world.acknowledged) {
    const [first] = changes
    if (isExcused || first === undefined) continue
    for (const circle of circlesOf(world, first.project_id)) {
      if (!circle.some(({ name }) => name === origin)) continue
      for (const daemon of circle) {
        const lost = changes.find((change) => !holds(states.get(daemon) ?? new Map(), change))
        if (lost !== undefined || (tag !== undefined && !texts.get(daemon)?.includes(tag)))
          world.fail(
            `${method} ${tag ?? ''} acknowledged by ${origin} is lost at ${daemon.name}: ${JSON.stringify(lost)}`,
          )
      }
    }
  }
}

/** A conflict that somebody settled is nowhere open any more. */
function checkSettled(world: World): void {
  const settled = new Set(world.acknowledged.flatMap(({ settles, isExcused }) => (isExcused ? [] : settles)))
  for (const { name, life } of world.daemons)
    for (const { contracts } of life.store.view.projects.oldestFirst())
      for (const contract of contracts.oldestFirst())
        for (const { id } of conflictsOf(contract))
          if (settled.has(id)) world.fail(`${name} shows ${id} in conflict, which was settled`)
}

function checkVisibility(world: World): void {
  for (const { name, life } of world.daemons)
    for (const found of life.store.view.projects.oldestFirst()) {
      const { project } = found
      if (project.visibility === 'members' && !repoNames(found).includes(repoOf(name)))
        world.fail(`${name} holds ${project.project_id}, which is kept among others`)
    }
}

function checkHostile(world: World): void {
  if (world.hostile === undefined) return
  for (const { name, life } of world.daemons) {
    for (const change of stateOf(life.store).values())
      if (textOf(change).includes(FORBIDDEN))
        world.fail(`${name} took a malformed ${change.kind}: ${textOf(change)}`)
    for (const { project, repos } of life.store.view.projects.oldestFirst())
      for (const repo of repos.oldestFirst())
        if (activeClaim(repo, project)?.agent_id === agentOf(HOSTILE))
          world.fail(`${name} lets ${repo.name} be held by a claim from before its project`)
  }
}
