import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes longest, those that compute between those that wait. Begun first, so that no long file is left alone at the
 * end. Before them come the files of the project `alone`: between others, each would end a worker that has all modules
 * loaded.
 */
const DEAREST = [
  'io/background/slow-start.test.ts',
  'sim/histories.test.ts',
  'sim/planted-bugs.test.ts',
  'sim/sim-both.test.ts',
  'sim/sim-push.test.ts',
  'sim/sim-digest.test.ts',
  'sim/sim-hub.test.ts',
  'crash.test.ts',
  'cluster/hub/documented-servers.test.ts',
  'cluster/hub/hub-faults.test.ts',
  'cluster/hub/hub-hostile.test.ts',
  'cluster/network-away.test.ts',
  'readme.test.ts',
  'domain/statements/laws.test.ts',
  'docs/executed.test.ts',
  'perimeter/fuzz.test.ts',
  'dialects/acceptance.test.ts',
  'domain/interface/laws/laws.test.ts',
  'cluster/processes.test.ts',
  'cluster/pairing-processes.test.ts',
  'cluster/delegation.test.ts',
  'package.test.ts',
  'types/compilers.test.ts',
  'io/store/journal-damage.test.ts',
  'cluster/partition.test.ts',
  'cluster/renamed.test.ts',
  'cli/full-disk.test.ts',
  'cli/program/completion.test.ts',
  'hostile/noninterference.test.ts',
]

export class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = DEAREST.indexOf(relative(import.meta.dirname, moduleId))
      return place === -1 ? DEAREST.length : place
    }
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}
