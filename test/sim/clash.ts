import { updateOf } from './operations.ts'
import type { World } from './world.ts'

const OPEN = new Set(['proposed', 'negotiating'])

/** Everybody who knows a contract updates it in the same moment, and so nobody knows of the others. */
export function clash(world: World): void {
  const target = drawOpen(world)
  if (target === undefined) return
  const { projectId, contractId } = target
  world.trace(`clash over ${contractId}`)
  for (const daemon of knowing(world, target))
    world.attempt(daemon, updateOf({ projectId, contractId }, world.newTag()))
}

/** Whoever wrote a version takes its content away in the moment in which all others agree to it, and so it is in force. */
export function takeBackAgreed(world: World): void {
  const target = drawOpen(world)
  if (target === undefined) return
  const { projectId, contractId, head } = target
  world.trace(`${contractId} is agreed to and taken back`)
  for (const daemon of knowing(world, target)) {
    const comment = world.newTag()
    const method = 'cacp/contract/respond'
    world.attempt(daemon, {
      method,
      params: { projectId, contractId, action: 'agree', comment },
      tag: comment,
    })
    // Refused to all but its author.
    world.attempt(daemon, {
      method: 'cacp/contract/redact',
      params: { projectId, contractId, statementId: head, reason: 'too early' },
      tag: undefined,
    })
  }
}

interface Open {
  readonly projectId: string
  readonly contractId: string
  /** The id of its newest version. */
  readonly head: string
}

function drawOpen({ dice, up }: World): Open | undefined {
  const known = up.flatMap(({ life }) =>
    Array.from(life.store.view.projects.oldestFirst()).flatMap(({ project, contracts }) =>
      Array.from(contracts.oldestFirst())
        .filter(({ status }) => OPEN.has(status))
        .map(({ contract_id: contractId, head }) => ({
          projectId: project.project_id,
          contractId,
          head: head.id,
        })),
    ),
  )
  return known.length === 0 ? undefined : dice.pick(known)
}

const knowing = ({ up }: World, { projectId, contractId }: Open) =>
  up.filter(({ life }) => life.store.view.projects.get(projectId)?.contracts.get(contractId))
