import { claim as claimKind } from '../statements/claim.ts'
import { bodyOf } from '../statements/kind.ts'
import type { Statement } from '../statements/statement.ts'
import type { LostClaim } from './entities.ts'
import type { Speakers } from './speakers.ts'

/** The claims that settlements ended, also of repos that no longer exist. */
export function* claimsEndedBySettlement(
  speakers: Speakers,
  settlements: readonly Statement[],
): Iterable<LostClaim> {
  for (const repo_id of new Set(settlements.map(({ about }) => about)))
    for (const { standing, claims } of speakers.tenuresOf(repo_id))
      for (const { claim } of standing === 'settled' ? claims : []) {
        const { agent_id, reported_by } = bodyOf(claimKind, claim)
        yield { repo_id, root_key: claim.key, speaks_by: speakers.speaksBy(claim), agent_id, reported_by }
      }
}
