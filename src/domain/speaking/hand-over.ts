import { Fault } from '../../protocol/fault.ts'
import type { Env, Signer } from '../env.ts'
import { rotation, rotationProof } from '../statements/rotation.ts'
import type { SpeaksBy, Unsigned } from '../statements/say.ts'
import { MOST_ROTATIONS } from '../trust/rotation.ts'
import type { ProjectView, View } from '../view.ts'
import { speakIn } from './speaking.ts'

/** Something that a key speaks by: a claim or a founding, or what has taken its place since. */
export interface Voice {
  readonly by: SpeaksBy
  /** The repo or project that it speaks for. */
  readonly about: string
  /** How often its key was replaced. */
  readonly count: number
}

/** Everything by which this key speaks now, in all projects. */
export function voicesOf(view: View, keyId: string): Voice[] {
  return [...view.projects.oldestFirst()].flatMap((found) => voicesIn(found, keyId))
}

function voicesIn(found: ProjectView, keyId: string): Voice[] {
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

/** What the next key has to sign before a voice goes over to it. */
export const proofFor = ({ by }: Voice): string =>
  rotationProof({ project_id: by.project_id, under: by.introduction, key: by.key })

/** Hands all voices over to the next key. Undefined where one of them has no proof yet. */
export function handOver(
  view: View,
  { from, to, proofs }: { from: string; to: Signer; proofs: ReadonlyMap<string, string> },
  env: Pick<Env, 'now' | 'newNonce'>,
): Unsigned[] | undefined {
  const said: Unsigned[] = []
  for (const voice of voicesOf(view, from)) {
    const proof = proofs.get(proofFor(voice))
    const found = view.projects.get(voice.by.project_id)
    if (proof === undefined || found === undefined) return undefined
    const body = { public_key: to.publicKey, count: voice.count + 1, proof }
    said.push(speakIn(found, voice.by, env)(rotation, { about: voice.about, body }))
  }
  return said
}

/** Refuses to begin what could not be ended. */
export function assertCanHandOver(view: View, keyId: string): void {
  const worn = voicesOf(view, keyId).find(({ count }) => count >= MOST_ROTATIONS)
  if (worn === undefined) return
  throw new Fault(
    'conflict',
    `The key was replaced ${MOST_ROTATIONS} times in project ${worn.by.project_id}`,
    {
      next: 'Release the repos there with cacp/repo/release and join again',
      data: { projectId: worn.by.project_id },
    },
  )
}
