import { canonicalText } from '../../protocol/json/canonical.ts'
import { epochMillis, type Stamp } from '../../protocol/stamp.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { contentHash, type Statement } from './statement.ts'

/**
 * A statement that opens a project, contract or packet. The id of what it opens is a hash of the statement with its
 * key, so that nobody can open an entity of somebody else, or open the same entity twice with different content.
 */
export type Opening = Omit<Statement, 'id' | 'about' | 'project_id' | 'sig'> & {
  /** Missing for a statement that founds a project. */
  readonly project_id?: string
}

export const idOpenedBy = ({ content, ...said }: Opening): string =>
  certifiedId(
    said.at,
    canonicalText(content === undefined ? said : { ...said, content_hash: contentHash(content) }),
  )

/** A UUID of version 8 that starts with the second, so that ids sort by time. `text` is canonical JSON. */
export function certifiedId(at: Stamp, text: string): string {
  const seconds = Math.floor(epochMillis(at) / 1000)
  const time = (seconds % 2 ** 32).toString(16).padStart(8, '0')
  const hex = sha256(text)
  const variant = ((Number.parseInt(hex.slice(0, 2), 16) & 0x3f) | 0x80).toString(16)
  return `${time}-${hex.slice(2, 6)}-8${hex.slice(6, 9)}-${variant}${hex.slice(9, 11)}-${hex.slice(11, 23)}`
}

/** Whether the id of the opened entity is the hash of this statement. */
export const hasCertifiedId = ({ id, about, project_id, sig, ...said }: Statement): boolean =>
  about === idOpenedBy(about === project_id ? said : { ...said, project_id })

/**
 * Whether an id was given by a daemon that signs nothing: the founding or claim behind the statement is a report.
 * Such an id never has the form of a certified one, so that nobody can open an entity with a certified id in this
 * way.
 */
export const isForeignId = (id: string, root: Pick<Statement, 'body'>): boolean =>
  root.body['reported_by'] !== undefined && !CERTIFIED.test(id)

const CERTIFIED = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export const WRONG_OPENING_ID = 'about does not come from what it says'
