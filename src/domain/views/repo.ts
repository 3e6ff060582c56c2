import { latest } from '../../protocol/stamp.ts'
import { claim as claimKind } from '../statements/claim.ts'
import { description as descriptionKind } from '../statements/description.ts'
import { bodyOf } from '../statements/kind.ts'
import { removal as removalKind } from '../statements/removal.ts'
import { repo as repoKind } from '../statements/repo.ts'
import { newestOf, type Statement } from '../statements/statement.ts'
import type { Speakers } from './speakers.ts'
import type { Tenure } from './tenures.ts'

/** Undefined when no naming that counts is left and nobody speaks for the repo. */
export function foldRepo(repoId: string, saidAs: (kind: string) => readonly Statement[], speakers: Speakers) {
  const counting = (kind: { readonly name: string }) =>
    saidAs(kind.name).filter((one) => speakers.authorshipOf(one).counts)
  const removed = new Set(counting(removalKind).map((one) => bodyOf(removalKind, one).naming))
  const standing = counting(repoKind).filter((one) => !removed.has(one.id))
  const claims = claimsIn(speakers.tenuresOf(repoId), speakers)
  const held = speakers.holderOf(repoId)?.claims[0]?.claim
  const named = newestOf(standing)
  if (named === undefined && held === undefined) return undefined
  const described = newestOf(counting(descriptionKind))
  const own = described && bodyOf(descriptionKind, described)
  const given = named && bodyOf(repoKind, named)
  const name = given?.name ?? (held && bodyOf(claimKind, held).repo_name) ?? ''
  const about = own ?? given
  const said = [...standing, ...(described === undefined ? [] : [described])]
  return {
    repo_id: repoId,
    /** The name by which it is named and claimed; the name for display is `shown_name`. */
    name,
    shown_name: own?.shown_name ?? name,
    // The values that a plain peer assumes when it knows no others.
    role: about?.role ?? 'shared',
    language: about?.language ?? 'unknown',
    relevant_paths: about?.relevant_paths ?? [],
    url: about?.url ?? null,
    endpoint: own?.endpoint ?? (held && bodyOf(claimKind, held).endpoint) ?? null,
    /** The claim of the agent that speaks for it now. */
    holder: claims.find(({ claim_id }) => claim_id === held?.id),
    claims,
    /** Ids of the repo statements that name it and were not removed. */
    namings: standing.map(({ id }) => id).sort(),
    updated_at: latest([
      ...said.map(({ at }) => at),
      ...claims.flatMap(({ claimed_at, released_at = claimed_at }) => [claimed_at, released_at]),
    ]),
  }
}

/** In order of precedence. */
export const claimsIn = (tenures: readonly Tenure[], speakers: Speakers) =>
  tenures.flatMap(({ claims, standing, counts_until, is_restored }) =>
    claims.map(({ claim, released_at, confirmation }) => {
      const { agent_id, public_key, endpoint, reported_by } = bodyOf(claimKind, claim)
      return {
        claim_id: claim.id,
        agent_id,
        /** As the claim says it; rotations may have replaced the key since. */
        public_key,
        endpoint,
        /** The key and introduction by which this agent speaks now. */
        speaks_by: speakers.speaksBy(claim),
        /** The agent whose daemon signs for this one, which signs nothing itself. */
        reported_by,
        claimed_at: claim.at,
        released_at,
        is_confirmed: confirmation !== undefined,
        standing,
        counts_until,
        is_restored,
      }
    }),
  )
