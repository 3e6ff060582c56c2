import { bodyOf } from '../statements/kind.ts'
import { sighting as sightingKind } from '../statements/sighting.ts'
import type { Statement } from '../statements/statement.ts'
import type { Sighting } from './entities.ts'
import type { Speakers } from './speakers.ts'
import { newestOfRepos } from './tally.ts'

/** The newest receipt of each repo that counts, in the order of the repos' ids. */
export const foldSightings = (said: Iterable<Statement>, speakers: Speakers): readonly Sighting[] =>
  newestOfRepos(said, speakers).map(([repo_id, one]) => {
    const { of, parts } = bodyOf(sightingKind, one)
    return { repo_id, of, parts, at: one.at }
  })
