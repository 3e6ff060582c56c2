import * as z from 'zod'
import { FreeObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ContractType, Id, Text } from '../../protocol/words.ts'
import { hasCertifiedId, isForeignId, WRONG_OPENING_ID } from './certified-id.ts'
import { bodyOf, kind, type StatementInContext } from './kind.ts'
import { byPerson, Label, Nonce } from './shared-fields.ts'
import { type Statement, StatementId } from './statement.ts'

const common = {
  version: z.int().min(1),
  /** Repos that have to agree and to implement it. */
  parties: z.array(Id).min(1).max(LIMITS.repos).readonly(),
  depends_on: z.array(Id).max(LIMITS.listItems).readonly().optional(),
  ...byPerson,
}

const first = z.looseObject({
  ...common,
  parent: z.null(),
  type: ContractType,
  name: Label,
  nonce: Nonce,
})

const later = z.looseObject({
  ...common,
  parent: StatementId,
  /** Other ends of the history that this revision merges. */
  resolves: z.array(StatementId).max(LIMITS.listItems).readonly().optional(),
  /** Retires the contract once this revision is agreed. */
  retire: z.literal(true).optional(),
  /** The answer whose suggested change this revision adopts. */
  accepts: StatementId.optional(),
})

type Body = z.infer<typeof first> | z.infer<typeof later>

/** A version of a contract. The first one opens the contract and gives it its type and name. */
export const revision = kind({
  name: 'revision',
  family: 'fact',
  madeBy: ['repo'],
  body: z.union([first, later]),
  content: z.looseObject({ value: FreeObject, note: Text }),
  cites: (body) => [
    ...builtOn(body).map((id) => ({ id, kinds: ['revision'], isAboutSame: true })),
    ...(body.parent !== null && body.accepts !== undefined
      ? [{ id: body.accepts, kinds: ['answer'], isAboutSame: true }]
      : []),
  ],
  problem: (said) => (said.body.parent === null ? problemOfFirst(said, said.body) : problemOfLater(said)),
})

/** The revisions that this one builds on. */
export const builtOn = (body: Body): readonly string[] =>
  body.parent === null ? [] : [body.parent, ...(body.resolves ?? [])]

function problemOfFirst({ statement, root }: StatementInContext<Body>, { version }: z.infer<typeof first>) {
  if (!hasCertifiedId(statement) && !isForeignId(statement.about, root)) return WRONG_OPENING_ID
  return version === 1 ? undefined : 'version of the first revision must be 1'
}

function problemOfLater({ body, cited }: StatementInContext<Body>): string | undefined {
  const before = cited.filter(({ kind }) => kind === 'revision')
  const highest = Math.max(...before.map((one) => Number(one.body['version'])))
  return body.version === highest + 1
    ? undefined
    : `version must be ${highest + 1}, one more than what it builds on`
}

/** Type and name of a contract, from its first version. */
export function openingOf(statement: Statement): Pick<z.infer<typeof first>, 'type' | 'name'> {
  const body = bodyOf(revision, statement)
  if (body.parent !== null) throw new TypeError('only the first version opens a contract')
  return body
}
