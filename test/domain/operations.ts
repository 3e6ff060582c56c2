import { contractChange, packetChange, projectChange, repoChange } from '../../src/domain/change.ts'
import {
  contractStamp,
  headOf,
  newContract,
  nextBase,
  respond,
  revise,
  statusOf,
} from '../../src/domain/contract.ts'
import {
  completeImplementation,
  implementationOf,
  startImplementation,
  verifyImplementations,
} from '../../src/domain/implementation.ts'
import type { Contract } from '../../src/domain/model.ts'
import { packetStamp, projectStamp } from '../../src/domain/project.ts'
import { activeClaim, claimRepo, releaseRepo } from '../../src/domain/repo.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'
import { stampAfter } from '../../src/protocol/stamp.ts'
import type { ContractStatus } from '../../src/protocol/words.ts'
import { packet } from './builders.ts'
import type { Replica } from './replica.ts'

export const OPERATIONS = [
  'propose',
  'agree',
  'request_change',
  'reject',
  'update',
  'start',
  'complete',
  'verify',
  'claim',
  'release',
  'rename',
  'share',
  'redact',
] as const
export type Operation = (typeof OPERATIONS)[number]

export interface Choice {
  operation: Operation
  /** Decides among contracts, repos, packets, contents and results. */
  choice: number
}

/** Something that was done and acknowledged, and has to be found at the end. */
export type Trace = (replica: Replica) => boolean

/** Members mostly try what makes sense; an objection to an agreement is rare. */
const NEEDED: Partial<Record<Operation, ContractStatus[]>> = {
  agree: ['proposed', 'negotiating'],
  request_change: ['proposed', 'verified'],
  reject: ['proposed', 'agreed'],
  update: ['proposed', 'negotiating'],
  start: ['agreed', 'implemented'],
  complete: ['agreed'],
  verify: ['implemented'],
}

/** Lets a replica do something as a member would, or throws the conflict that a member would get. */
export function perform(replica: Replica, { operation, choice }: Choice, id: string): Trace | undefined {
  const { now, name: repoId } = replica
  const agentId = `aid://localhost/${repoId}@1.0.0`
  const contract = pick(
    [...replica.contracts.values()].filter((one) => NEEDED[operation]?.includes(statusOf(one))),
    choice,
  )
  switch (operation) {
    case 'propose': {
      if (replica.contracts.size > 4) return undefined
      const parties = choice % 2 === 0 ? [repoId] : ['r0', 'r1']
      const content = { choice }
      const made = newContract({ id, type: 'custom', name: id, content, repoId, parties, now })
      return write(replica, made, (one) => one.created_at === made.created_at)
    }
    case 'agree':
    case 'request_change':
    case 'reject': {
      if (contract === undefined) return undefined
      const given = {
        response_id: id,
        repo_id: repoId,
        agent_id: agentId,
        comment: id,
        suggested_change: null,
      }
      const next = respond(contract, { ...given, action: operation }, now)
      const record = canonicalText(next.responses.at(-1))
      return write(replica, next, (one) => one.responses.some((answer) => canonicalText(answer) === record))
    }
    case 'update': {
      if (contract === undefined) return undefined
      const next = revise(contract, { content: { choice }, repoId, changeNotes: id, now })
      const revision = headOf(next).id
      return write(replica, next, (one) => one.revisions.some((other) => other.id === revision))
    }
    case 'start':
    case 'complete':
    case 'verify': {
      if (contract === undefined) return undefined
      nextBase(contract, operation)
      if (operation === 'complete' && implementationOf(contract, repoId, headOf(contract).id) === undefined)
        return perform(replica, { operation: 'start', choice }, id)
      const work = {
        repoId,
        agentId,
        revision: headOf(contract).id,
        at: stampAfter(now, contractStamp(contract)),
      }
      if (operation === 'verify') {
        const result = (['success', 'failure', 'partial'] as const)[choice % 3] ?? 'partial'
        const given = { verification_id: id, result, notes: '', failure_details: { id } }
        const next = verifyImplementations(contract, work, given)
        const record = canonicalText(next.verifications.at(-1))
        return write(replica, next, (one) =>
          one.verifications.some((other) => canonicalText(other) === record),
        )
      }
      const next =
        operation === 'start'
          ? startImplementation(contract, work, { plan: id, estimated_files: [] })
          : completeImplementation(contract, work, { files: [id], notes: id, test_endpoint: null })
      return write(replica, next, (one) => {
        const found = implementationOf(one, repoId, work.revision)
        return found !== undefined && found.updated_at >= work.at
      })
    }
    case 'claim':
    case 'release': {
      const held = pick(
        [...replica.repos.values()].filter(
          (one) => operation === 'claim' || activeClaim(one, replica.project) !== undefined,
        ),
        choice,
      )
      if (held === undefined) return undefined
      const claim = activeClaim(held, replica.project)
      if (operation === 'release' && claim === undefined) return undefined
      const next =
        operation === 'release' && claim !== undefined
          ? releaseRepo(held, claim, now)
          : claimRepo(held, { project: replica.project, agentId, endpoint: `http://${id}`, now })
      replica.apply(repoChange('p1', next))
      const keys = next.claims.map((one) => [one.agent_id, one.claimed_at, one.released_at !== null] as const)
      return (at) =>
        keys.every(([agent, since, isReleased]) =>
          at.repos
            .get(next.repo_id)
            ?.claims.some(
              (one) =>
                one.agent_id === agent &&
                one.claimed_at === since &&
                (!isReleased || one.released_at !== null),
            ),
        )
    }
    case 'rename': {
      const since = stampAfter(now, projectStamp(replica.project))
      replica.apply(projectChange({ ...replica.project, name: { value: id, at: since } }))
      return (at) => at.project.name.at >= since
    }
    case 'share': {
      const shared = packet({ packet_id: id, from_agent: agentId, timestamp: now, content: { id } })
      replica.apply(packetChange('p1', shared))
      return (at) => {
        const found = at.packets.get(id)
        return (
          found !== undefined &&
          (found.redacted !== null || canonicalText(found.content) === canonicalText({ id }))
        )
      }
    }
    case 'redact': {
      const found = pick(
        [...replica.packets.values()].filter((one) => one.redacted === null),
        choice,
      )
      if (found === undefined) return undefined
      const redacted = { by: agentId, at: stampAfter(now, packetStamp(found)), reason: id }
      replica.apply(packetChange('p1', { ...found, content: { redacted: true }, redacted }))
      return (at) => at.packets.get(found.packet_id)?.redacted !== null
    }
    default:
      return operation satisfies never
  }
}

function write(replica: Replica, next: Contract, isIn: (contract: Contract) => boolean): Trace {
  replica.apply(contractChange('p1', next))
  return (at) => {
    const found = at.contracts.get(next.contract_id)
    return found !== undefined && isIn(found)
  }
}

const pick = <T>(items: T[], choice: number): T | undefined => items[choice % Math.max(items.length, 1)]
