import { rootOf } from '../../src/domain/statements/admit.ts'
import { KINDS } from '../../src/domain/statements/kinds.ts'
import type { Unsigned } from '../../src/domain/statements/say.ts'
import { hasLostContent, type Statement } from '../../src/domain/statements/statement.ts'
import type { PeerReport } from '../../src/methods/peers/peer.ts'
import { stampOfMillis } from '../../src/protocol/stamp.ts'
import { type Circles, circlesIn } from './circles.ts'
import { FORGED } from './forger.ts'
import { FORBIDDEN } from './hostile.ts'
import { LIE } from './hostile-member.ts'
import { agentOf, HOSTILE, PLAIN, repoOf, START, WILD } from './names.ts'
import type { SimDaemon } from './sim-daemon.ts'
import { holds, refolded, type State, seenIn, stateOf, textOf } from './state.ts'
import type { World } from './world.ts'

function projectIds(world: World): Set<string> {
  return new Set(
    world.daemons.flatMap((daemon) =>
      Array.from(daemon.life.store.view.projects.oldestFirst(), ({ project }) => project.project_id),
    ),
  )
}

/** Of a key that said too much, everybody takes what comes first, and equality is promised to nobody. */
const saidTooMuch = ({ isFlooded, member }: World, { key }: Pick<Statement, 'key'>): boolean =>
  isFlooded && member?.keys.has(key) === true

/** What cites something that is too much waits for it for ever where that was refused. */
function restsOnTooMuch(world: World, state: State, statement: Unsigned | Statement): boolean {
  if (!world.isFlooded) return false
  const all = new Set<Unsigned | Statement>([statement])
  for (const one of all) {
    if (saidTooMuch(world, one)) return true
    for (const { id } of KINDS.get(one.kind)?.cites?.(one.body) ?? []) {
      const cited = state.get(id)
      if (cited !== undefined) all.add(cited)
    }
  }
  return false
}

const partsIn = (state: State, projectId: string, world: World): State =>
  new Map([...state].filter(([, one]) => one.project_id === projectId && !restsOnTooMuch(world, state, one)))

/** The first difference between daemons that should agree, in words. */
export function findDifference(world: World, circlesOf = circlesIn(world)): string | undefined {
  const states = new Map(world.daemons.map((daemon) => [daemon, stateOf(daemon.life.store)]))
  for (const projectId of projectIds(world)) {
    for (const circle of circlesOf(projectId)) {
      const [first, ...others] = circle.map((daemon) => ({
        daemon,
        parts: partsIn(states.get(daemon) ?? new Map(), projectId, world),
      }))
      if (first === undefined) continue
      for (const other of others) {
        const place = [...new Set([...first.parts.keys(), ...other.parts.keys()])].find(
          (one) => first.parts.get(one)?.id !== other.parts.get(one)?.id,
        )
        if (place !== undefined)
          return `${place} differs: ${first.daemon.name} has ${textAt(first.parts, place)}, ${other.daemon.name} has ${textAt(other.parts, place)}`
      }
    }
  }
  return undefined
}

function textAt(parts: State, place: string): string {
  const statement = parts.get(place)
  return statement === undefined ? 'nothing' : textOf(statement)
}

/** Everybody is up and agrees, and every cursor has come to its end. */
export function isConverged(world: World): boolean {
  if (world.up.length < world.daemons.length) return false
  return findDisagreement(world) === undefined && findUnfinished(world) === undefined
}

/** Whether somebody who is up knows a neighbour by a key that is not its own any more. */
export const hasUnknownKeys = (world: World): boolean =>
  world.up.some((daemon) =>
    world.neighboursOf(daemon).some(({ name, identity }) => {
      const pinned = daemon.life.store.view.peers.get(agentOf(name))?.identity
      return pinned !== undefined && pinned.x !== identity.publicKey.x
    }),
  )

const lastFound = new WeakMap<World, { readonly at: readonly unknown[]; readonly disagreement?: string }>()

/** What daemons hold or see differently. Looked for anew only when one of them wrote something or was started since. */
export function findDisagreement(world: World): string | undefined {
  const at = world.daemons.flatMap(({ life }) => [life, life.store.health().seq])
  const last = lastFound.get(world)
  if (last?.at.every((one, index) => one === at[index])) return last.disagreement
  const circles = circlesIn(world)
  const disagreement = findDifference(world, circles) ?? findUnequalView(world, circles)
  lastFound.set(world, { at, ...(disagreement === undefined ? {} : { disagreement }) })
  return disagreement
}

export function findUnfinished(world: World): string | undefined {
  for (const { name, life } of world.daemons) {
    const status = life.engine.services.hub.status()
    if (status !== null && status.state !== 'current')
      return `${name} is not done with the hub: ${JSON.stringify(status)}`
  }
  for (const daemon of world.daemons)
    for (const peer of daemon.life.engine.services.peers.list()) {
      if (peer.agentId === agentOf(HOSTILE) || peer.agentId === agentOf(WILD)) continue
      // Where only digests are compared, no cursor moves.
      if (world.mode === 'digest' && peer.agentId !== agentOf(PLAIN)) continue
      if (peer.agentId === agentOf(PLAIN) && isOnlyForeign(peer, world)) continue
      const excused = peer.aside.filter(
        ({ reason }) =>
          (world.isFlooded && reason.includes('too much')) ||
          // Only comparing forgets that something was refused which was then said again with the right time.
          (world.mode === 'push' && reason.includes('ahead of this clock')),
      )
      if ((peer.behind ?? 0) > excused.length && excused.length < 100)
        return `${daemon.name} has not handed everything to ${peer.agentId}: ${JSON.stringify(peer)}`
    }
  return undefined
}

/** Who reports what a plain peer says has to be done with it; the others get that from there. */
const FOREIGN = [
  'speaks for its own repo only',
  'was opened by a daemon that signs what it says',
  'which speaks for its repo',
]

/** A plain peer cannot give back what others wrote, nor what its own repo said before somebody's disk was lost. */
function isOnlyForeign({ behind, aside }: PeerReport, { isMemoryLost }: World): boolean {
  const keys = new Set(aside.map(({ key }) => key))
  if ((behind ?? 0) > keys.size) return false
  return isMemoryLost || aside.every(({ reason }) => FOREIGN.some((words) => reason.includes(words)))
}

/** What is seen is equal where what it is made of is. */
function findUnequalView(world: World, circlesOf: Circles): string | undefined {
  // A content that was taken away, and comes back, is got by comparing states.
  const isTakenBack = ({ kind, key }: Statement) =>
    world.mode === 'push' && kind === 'redaction' && world.member?.keys.has(key) === true
  const isLeft = (projectId: string) =>
    world.daemons.some(({ life }) =>
      [...(life.store.view.projects.get(projectId)?.said ?? [])].some(
        (one) => saidTooMuch(world, one) || isTakenBack(one),
      ),
    )
  for (const projectId of projectIds(world))
    for (const circle of isLeft(projectId) ? [] : circlesOf(projectId)) {
      const [first, ...others] = circle.map(({ name, life }) => {
        const found = life.store.view.projects.get(projectId)
        if (found === undefined) return { name, seen: 'nothing' }
        // Whoever only hears what is new never gets a content again.
        const bare = world.mode === 'push' ? [] : [...found.said].filter(hasLostContent)
        const contents = bare.map(({ id }) => id).sort()
        return { name, seen: `${seenIn(found)} without the contents of ${contents}` }
      })
      const other = others.find(({ seen }) => seen !== first?.seen)
      if (first !== undefined && other !== undefined)
        return `${projectId} is seen in two ways: ${whereDiffer(first, other)}`
    }
  return undefined
}

/** Two long texts from a little before the place on where they differ. */
function whereDiffer(a: { name: string; seen: string }, b: { name: string; seen: string }): string {
  let at = 0
  while (a.seen[at] === b.seen[at]) at++
  const part = (text: string) => text.slice(Math.max(0, at - 200), at + 300)
  return `${a.name} ${part(a.seen)} ${b.name} ${part(b.seen)}`
}

/** Everything that has to be true of daemons that have converged. */
export function checkAll(world: World): void {
  checkPure(world)
  checkAcknowledged(world)
  checkSaidAgain(world)
  checkSettled(world)
  checkVisibility(world)
  checkRedacted(world)
  checkHostile(world)
  checkAdmitted(world)
}

/** What is seen follows from the statements alone, whatever was looked at and taken back before. */
function checkPure(world: World): void {
  // Those who agree hold the same statements, of which the same is made anew.
  const made = new Map<string, string>()
  for (const { name, life } of world.daemons)
    for (const found of life.store.view.projects.oldestFirst()) {
      const said = Array.from(found.said, textOf).sort().join('\n')
      const [seen, anew] = [seenIn(found), made.get(said) ?? refolded(found.said)]
      made.set(said, anew)
      if (seen !== anew)
        world.fail(
          `what is seen is not what was said: ${whereDiffer({ name, seen }, { name: 'anew', seen: anew })}`,
        )
    }
}

function checkAcknowledged(world: World): void {
  const states = new Map(world.daemons.map((daemon) => [daemon, stateOf(daemon.life.store)]))
  const all = new Map([...states.values()].flatMap((state) => [...state]))
  const circlesOf = circlesIn(world)
  const isLostAt = (daemon: SimDaemon, one: Unsigned | Statement) =>
    !holds(states.get(daemon) ?? new Map(), one) && !restsOnTooMuch(world, all, one)
  for (const { daemon: origin, method, said: saidThen, isExcused } of world.acknowledged) {
    const said = saidThen.map((one) => world.renewals.nowOf(one))
    const [first] = said
    if (isExcused || first === undefined) continue
    for (const circle of circlesOf(first.project_id)) {
      if (!circle.some(({ name }) => name === origin)) continue
      for (const daemon of circle) {
        const lost = said.find((one) => isLostAt(daemon, one))
        if (lost !== undefined)
          world.fail(`${method} acknowledged by ${origin} is lost at ${daemon.name}: ${JSON.stringify(lost)}`)
      }
    }
  }
}

/** What was said again with the right time is nowhere beside that. */
function checkSaidAgain(world: World): void {
  for (const { name, life } of world.daemons)
    for (const one of stateOf(life.store).values())
      if (world.renewals.has(one)) world.fail(`${name} has what was said again: ${textOf(one)}`)
}

/** A conflict that somebody settled is nowhere open any more, as long as who settled it counts. */
function checkSettled(world: World): void {
  const settled = new Map(
    world.acknowledged.flatMap(({ settles, said, isExcused }) =>
      isExcused ? [] : settles.map((id) => [id, said.find(({ kind }) => kind === 'revision')?.id] as const),
    ),
  )
  for (const { name, life } of world.daemons)
    for (const { contracts } of life.store.view.projects.oldestFirst())
      for (const { conflicts, history } of contracts.oldestFirst())
        for (const { id } of conflicts) {
          const by = settled.get(id)
          if (by !== undefined && history.revisions.some((one) => one.id === by))
            world.fail(`${name} shows ${id} in conflict, which was settled`)
        }
}

/** Whoever holds what is kept among members was one of them at some time. */
function checkVisibility(world: World): void {
  for (const daemon of world.daemons)
    for (const found of daemon.life.store.view.projects.oldestFirst()) {
      const { visibility, project_id } = found.project
      // Its naming may not have reached it before somebody else claimed that repo, or the disk with it was lost.
      const said = [
        ...world.daemons.flatMap(({ life }) => [...(life.store.view.projects.get(project_id)?.said ?? [])]),
        ...world.acknowledged.flatMap((one) => one.said.filter((word) => word.project_id === project_id)),
      ]
      const wasNamed = said.some(
        ({ kind, body }) =>
          (kind === 'repo' && body['name'] === repoOf(daemon.name)) ||
          (kind === 'claim' && body['repo_name'] === repoOf(daemon.name)) ||
          (kind === 'claim' && body['agent_id'] === agentOf(daemon.name)),
      )
      if (visibility === 'members' && !wasNamed)
        world.fail(`${daemon.name} holds ${project_id}, which is kept among others`)
    }
}

/** What its author took away is nowhere any more. */
function checkRedacted(world: World): void {
  for (const { name, life } of world.daemons)
    for (const { packets, said } of life.store.view.projects.oldestFirst())
      for (const { id, redacted } of packets.oldestFirst())
        if (redacted !== null && said.fact(id)?.content !== undefined)
          world.fail(`${name} still has the content of ${id}, which was redacted`)
}

/** Only the founder confirms, and nobody speaks of what is to come. */
function checkAdmitted(world: World): void {
  for (const { name, life, clockOffset } of world.daemons) {
    const latest = stampOfMillis(START + world.time.now + (clockOffset + 301) * 1000)
    for (const { said } of life.store.view.projects.oldestFirst())
      for (const one of said) {
        if (one.at > latest) world.fail(`${name} took what is to be said only later: ${textOf(one)}`)
        if (one.kind === 'confirmation' && rootOf(one, said).kind !== 'project')
          world.fail(`${name} took a confirmation of somebody: ${textOf(one)}`)
      }
  }
}

function checkHostile(world: World): void {
  const hostileKeys = world.member?.keys ?? new Set<string>()
  for (const { name, life } of world.daemons) {
    for (const statement of stateOf(life.store).values()) {
      const text = textOf(statement)
      if (text.includes(FORBIDDEN) || text.includes(FORGED))
        world.fail(`${name} took what is forged: ${text}`)
      // Somebody may well choose its content where two versions are in conflict.
      if (statement.body['note'] === LIE && !hostileKeys.has(statement.key))
        world.fail(`${name} took a lie as the word of another: ${text}`)
    }
    for (const { repos } of life.store.view.projects.oldestFirst())
      for (const { name: repoName, holder, claims } of repos.oldestFirst()) {
        if (holder === undefined || !hostileKeys.has(holder.speaks_by.key) || holder.is_confirmed) continue
        const rightful = claims.find((one) => one.is_confirmed && one.standing === 'outranked')
        if (rightful !== undefined) world.fail(`${name} lets ${repoName} be held by the one that is hostile`)
      }
  }
}
