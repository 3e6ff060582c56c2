import { updateOf } from './operations.ts'
import type { World } from './world.ts'

const OPEN = new Set(['proposed', 'negotiating'])

/** Everybody who knows a contract updates it in the same moment, and so nobody knows of the others. */
export function clash(world: World): void {
  const { dice, up } = world
  const known = up.flatMap(({ life }) =>
    Array.from(life.store.view.projects.oldestFirst()).flatMap(({ project, contracts }) =>
      Array.from(contracts.oldestFirst())
        .filter(({ status }) => OPEN.has(status))
        .map(({ contract_id: contractId }) => ({ projectId: project.project_id, contractId })),
    ),
  )
  if (known.length === 0) return
  const target = dice.pick(known)
  world.trace(`clash over ${target.contractId}`)
  for (const daemon of up)
    if (daemon.life.store.view.projects.get(target.projectId)?.contracts.get(target.contractId))
      world.attempt(daemon, updateOf(target, world.newTag()))
}
