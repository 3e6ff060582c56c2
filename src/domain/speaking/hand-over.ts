import { Fault } from '../../protocol/fault.ts'
import type { Env, Signer } from '../env.ts'
import { rotation, rotationProof } from '../statements/rotation.ts'
import type { Unsigned } from '../statements/say.ts'
import { MOST_ROTATIONS } from '../trust/rotation.ts'
import type { ProjectView, View } from '../view.ts'
import { speakIn } from './speaking.ts'

/** A claim, founding or rotation that entitles a key to speak. */
type SpeakingRight = ReturnType<typeof rightsIn>[number]

/** Everything that entitles this key to speak now, in all projects. */
export function speakingRightsOf(view: View, keyId: string): SpeakingRight[] {
  return [...view.projects.oldestFirst()].flatMap((found) => rightsIn(found, keyId))
}

/** Each with the repo or project that the key speaks for, and how often the key was replaced. */
function rightsIn(found: ProjectView, keyId: string) {
  const { project, repos, said } = found
  const claims = [...repos.oldestFirst()].flatMap(({ repo_id, claims }) =>
    claims
      .filter(({ released_at }) => released_at === undefined)
      .map(({ speaks_by }) => ({ by: speaks_by, about: repo_id })),
  )
  return [{ by: project.founder, about: project.project_id }, ...claims]
    .filter(({ by }) => by.key === keyId)
    .map((one) => {
      const introduction = said.fact(one.by.introduction)
      return { ...one, count: introduction?.kind === rotation.name ? Number(introduction.body['count']) : 0 }
    })
}

/** The text that the next key has to sign before it takes over. */
export const proofFor = ({ by }: SpeakingRight): string =>
  rotationProof({ project_id: by.project_id, under: by.introduction, key: by.key })

/** Rotations of all introductions to the next key. Undefined if the next key's proof is missing for one of them. */
export function handOver(
  view: View,
  { from, to, proofs }: { from: string; to: Signer; proofs: ReadonlyMap<string, string> },
  env: Pick<Env, 'now' | 'newNonce'>,
): Unsigned[] | undefined {
  const rotations: Unsigned[] = []
  for (const right of speakingRightsOf(view, from)) {
    const proof = proofs.get(proofFor(right))
    const found = view.projects.get(right.by.project_id)
    if (proof === undefined || found === undefined) return undefined
    const body = { public_key: to.publicKey, count: right.count + 1, proof }
    rotations.push(speakIn(found, right.by, env)(rotation, { about: right.about, body }))
  }
  return rotations
}

/** Refuses to start a rotation that could not be completed. */
export function assertCanHandOver(view: View, keyId: string): void {
  const exhausted = speakingRightsOf(view, keyId).find(({ count }) => count >= MOST_ROTATIONS)
  if (exhausted === undefined) return
  throw new Fault(
    'conflict',
    `The key was replaced ${MOST_ROTATIONS} times in project ${exhausted.by.project_id}`,
    {
      next: 'Release the repos there with cacp/repo/release and join again',
      data: { projectId: exhausted.by.project_id },
    },
  )
}
