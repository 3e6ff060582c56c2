import { defined } from '../../protocol/collections/defined.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { InboxItem } from '../inbox/item-shape.ts'
import { quoted } from '../names/quoted.ts'
import { nameOf, needsPerson, sicknessOf } from '../peers/peer-health.ts'
import type { PeerTrust } from '../trust/trust.ts'
import type { PersonTask, Trust } from './task-shape.ts'

/** What a daemon knows about itself and its peers, as far as a person has to act on it. */
export interface PersonSigns {
  /** The oldest items of the agent's inbox. */
  readonly items: readonly InboxItem[]
  readonly peers: readonly PeerSigns[]
  /** Sentences on clocks and on daemons that run twice. */
  readonly warnings: readonly string[]
  readonly obstacles: readonly Obstacle[]
  readonly store: StoreSigns
  /** What began before is overdue. */
  readonly horizon: Stamp
  readonly trustOf: (agentId: string | null) => Trust
}

export interface PeerSigns {
  readonly agentId: string
  readonly repoName: string
  readonly endpoint: string
  readonly trust: PeerTrust
  readonly fingerprint: string | null
  readonly health: string
  readonly lastSeen: string | null
  readonly lastError: string | null
}

/** What keeps work from being done here. */
export type Obstacle =
  /** The command in the settings is not trusted on this machine. */
  | { readonly kind: 'untrusted_command' }
  /** A peer asked for work of the command since the start, and `agent.allow` does not name it. */
  | {
      readonly kind: 'not_allowed'
      readonly agentId: string
      readonly repoName: string | null
      readonly workType: string
      /** When it asked last. */
      readonly at: Stamp
    }

export interface StoreSigns {
  readonly problem?: { readonly message: string; readonly next: string }
  readonly bytes: number
  readonly quotaBytes: number
}

const NAME_LENGTH = 160

/** What only a person can do; first what holds now whatever its age, then the oldest. */
export function tasksOf(signs: PersonSigns): PersonTask[] {
  return [
    ...storeTasks(signs.store),
    ...signs.warnings.map((warning, index) => repair(`warning ${index + 1}`, warning, undefined)),
    ...signs.obstacles.map(obstacleTask),
    ...signs.peers.flatMap(peerTasks),
    ...signs.items.filter((item) => isForPerson(item, signs)).map((item) => itemTask(item, signs)),
  ].sort((a, b) => compareTimes(a.since, b.since))
}

/** Who holds a repo is for a person to say, and a conflict once the agents had their time for it. */
export const isForPerson = ({ kind, since }: InboxItem, { horizon }: Pick<PersonSigns, 'horizon'>): boolean =>
  kind === 'claim_lost' || kind === 'settle_claims' || (kind === 'resolve_conflict' && since <= horizon)

const compareTimes = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1

function itemTask(item: InboxItem, { trustOf }: PersonSigns): PersonTask {
  const { id, kind, projectId, projectName, about, from, why, since, next } = item
  return {
    id,
    kind: kind as PersonTask['kind'],
    name: about.name,
    why,
    since,
    projectId,
    projectName,
    about,
    from: { ...from, trust: trustOf(from.agentId) },
    next,
  }
}

function peerTasks(peer: PeerSigns): PersonTask[] {
  const { agentId, endpoint, trust, fingerprint, lastSeen } = peer
  const name = nameOf(peer)
  const from = { repo: peer.repoName, agentId, trust }
  const who = `${quoted(name, NAME_LENGTH)} at ${quoted(endpoint, NAME_LENGTH)}`
  if (trust === 'pending')
    return [
      {
        id: `approve_peer:${agentId}`,
        kind: 'approve_peer',
        name,
        why: `${who} asks to be let in`,
        since: lastSeen,
        from,
        endpoint,
        fingerprint,
        next: { method: 'cacp/peer/approve', params: { agentId } },
      },
    ]
  const sickness = trust === 'approved' && needsPerson(peer) ? sicknessOf(peer) : undefined
  if (sickness === undefined) return []
  const task = repair(`peer:${agentId}`, `${who} ${sickness.what}`, sickness.fix)
  return [{ ...task, name, since: lastSeen, from }]
}

function obstacleTask(obstacle: Obstacle): PersonTask {
  if (obstacle.kind === 'untrusted_command')
    return {
      id: 'trust_config',
      kind: 'trust_config',
      name: 'config.json',
      why: UNTRUSTED_COMMAND.message,
      since: null,
      fix: UNTRUSTED_COMMAND.fix,
    }
  const { agentId, repoName, workType, at } = obstacle
  return {
    id: `allow_agent:${agentId}`,
    kind: 'allow_agent',
    name: repoName ?? agentId,
    why: `${quoted(agentId, NAME_LENGTH)} asked for work of the type ${quoted(workType, NAME_LENGTH)} and was refused, because agent.allow does not name it`,
    since: at,
    from: { repo: repoName ?? '', agentId, trust: 'approved' },
    fix: 'If it may have work done here, list its agent ID under agent.allow in config.json, and start the daemon anew',
  }
}

/** From this share of the quota on. */
const MOST_FULL = 0.9

function storeTasks({ problem, bytes, quotaBytes }: StoreSigns): PersonTask[] {
  const full = fullness({ bytes, quotaBytes })
  return [
    ...(problem === undefined ? [] : [repair('store', problem.message, problem.next)]),
    ...(full === undefined ? [] : [repair('quota', full.message, full.fix)]),
  ]
}

/** Undefined while there is room. */
export const fullness = ({ bytes, quotaBytes }: Pick<StoreSigns, 'bytes' | 'quotaBytes'>) =>
  bytes <= quotaBytes * MOST_FULL
    ? undefined
    : {
        message: `It holds ${bytes} of the ${quotaBytes} bytes that it may take`,
        fix: 'Raise quotaBytes in config.json and start it anew',
      }

export const UNTRUSTED_COMMAND = {
  message: 'The agent command in the settings is not trusted on this machine, so it is not run',
  fix: 'Look at it and let it run with `cacpd config trust`',
}

/** Something about this daemon that a person has to put right. */
const repair = (what: string, why: string, fix: string | undefined): PersonTask => ({
  id: `repair:${what}`,
  kind: 'repair',
  name: 'this daemon',
  why,
  since: null,
  ...defined({ fix }),
})
