import * as z from 'zod'
import { Sha256 } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { namesRegister } from './register-name.ts'
import { StatementId } from './statement.ts'

/** Most moved files that are named. */
export const MOST_MOVED = 20

/**
 * What the files are like that a repo says it implements a contract with: one digest over their paths and contents. Its
 * daemon states it, at completion and whenever they changed.
 */
export const tree = kind({
  name: 'tree',
  family: 'register',
  madeBy: ['repo'],
  body: z.looseObject({
    ...namesRegister,
    revision: StatementId,
    digest: Sha256,
    /** For each file that the work declares, the beginning of its hash; empty: it is not there. */
    hashes: z
      .array(z.string().regex(/^(?:[0-9a-f]{12})?$/))
      .max(1000)
      .readonly(),
    /** Files that changed since the newest verification, the first of them. */
    moved: z.array(z.string().max(1024)).max(MOST_MOVED).readonly(),
    // `ignored` came later, see domain/proof/ignored-file.ts.
  }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
})
