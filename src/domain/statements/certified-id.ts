import { canonicalText } from '../../protocol/json/canonical.ts'
import { epochMillis, type Stamp } from '../../protocol/stamp.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { contentHash, type Statement } from './statement.ts'

/**
 * What opens a project, contract or packet gives it its id, which comes from all that it says, with the key that signs
 * it: so nobody can open another's, and nobody can open its own a second time with other words.
 */
export type Opening = Omit<Statement, 'id' | 'about' | 'project_id' | 'sig'> & {
  /** None for what founds a project. */
  readonly project_id?: string
}

export const idOpenedBy = ({ content, ...said }: Opening): string =>
  certifiedId(
    said.at,
    canonicalText(content === undefined ? said : { ...said, content_hash: contentHash(content) }),
  )

/** A UUID of version 8, with the second in front so that they sort by it. `text` is canonical. */
export function certifiedId(at: Stamp, text: string): string {
  const seconds = Math.floor(epochMillis(at) / 1000)
  const time = (seconds % 2 ** 32).toString(16).padStart(8, '0')
  const hex = sha256(text)
  const variant = ((Number.parseInt(hex.slice(0, 2), 16) & 0x3f) | 0x80).toString(16)
  return `${time}-${hex.slice(2, 6)}-8${hex.slice(6, 9)}-${variant}${hex.slice(9, 11)}-${hex.slice(11, 23)}`
}

/** Whether the id of what a statement opens comes from it. */
export const opensItsOwn = ({ id, about, project_id, sig, ...said }: Statement): boolean =>
  about === idOpenedBy(about === project_id ? said : { ...said, project_id })

/**
 * Whether an id was given by somebody who signs nothing, as the founding or claim behind the statement says that opens it.
 * It never has the form of those that certify, so that nobody's can be opened in this way.
 */
export const isForeign = (id: string, root: Pick<Statement, 'body'>): boolean =>
  root.body['reported_by'] !== undefined && !CERTIFIED.test(id)

const CERTIFIED = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export const NOT_ITS_OWN = 'about does not come from what it says'
