import { compareText } from '../../protocol/json/canonical.ts'
import { bodyOf } from '../statements/kind.ts'
import { sighting as sightingKind } from '../statements/sighting.ts'
import type { Statement } from '../statements/statement.ts'
import type { Sighting } from './entities.ts'
import type { Speakers } from './speakers.ts'
import { keepNewest } from './tally.ts'

/** The newest receipt of each repo that counts, in the order of the repos' ids. */
export function foldSightings(said: Iterable<Statement>, speakers: Speakers): readonly Sighting[] {
  const newest = new Map<string, Statement>()
  for (const statement of said) {
    const { repo_id, counts } = speakers.authorshipOf(statement)
    if (counts && repo_id !== null) keepNewest(newest, statement, repo_id)
  }
  return [...newest]
    .sort(([a], [b]) => compareText(a, b))
    .map(([repo_id, one]) => {
      const { of, parts } = bodyOf(sightingKind, one)
      return { repo_id, of, parts, at: one.at }
    })
}
