import * as z from 'zod'
import { LIMITS } from '../../protocol/limits.ts'
import { kind } from './kind.ts'
import { namesRegister } from './register-name.ts'
import { byPerson } from './shared-fields.ts'
import { StatementId } from './statement.ts'

/** A word that this daemon need not know: then it has no effect. */
const OpenWord = z.string().regex(/^[a-z_]{1,40}$/, 'must be 1 to 40 of the characters a-z and _')

/** A place in a contract, such as response.200.body.email. */
export const PlaceText = z.string().min(1).max(300)
/** A file and the line in it, such as src/api/user.ts:41. */
const SiteText = z.string().min(1).max(300)
/** By place, where it is used. */
export const Sites = z
  .record(PlaceText, SiteText)
  .refine((sites) => Object.keys(sites).length <= LIMITS.listItems, `must be at most ${LIMITS.listItems}`)

/** What a repo uses of a contract, and what it can live with. One for each contract, until it says it anew. */
export const expectation = kind({
  name: 'expectation',
  family: 'register',
  madeBy: ['repo'],
  body: z.looseObject({
    ...namesRegister,
    /** The version that was looked at when it was said. */
    revision: StatementId,
    side: OpenWord.nullable(),
    /** Null: all that is declared. */
    uses: z.array(PlaceText).max(LIMITS.listItems).readonly().nullable(),
    tolerates: z.array(OpenWord).max(LIMITS.listItems).readonly(),
    sites: Sites.readonly(),
    ...byPerson,
  }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
})
