import { hashOf } from '../../protocol/canonical.ts'
import { epochMillis, type Stamp } from '../../protocol/stamp.ts'
import type { Statement } from './statement.ts'

/**
 * The ids of projects, contracts and packets come from their author's key, so that nobody can open another's:
 * UUIDs of version 8, with the time in front so that they sort by it.
 */
export interface Opening {
  readonly at: Stamp
  /** Thumbprint of the author's key. */
  readonly key: string
  readonly nonce: string
}

export const projectIdOf = (opening: Opening): string => certifiedId(opening, 'project')

export const contractIdOf = (projectId: string, opening: Opening): string =>
  certifiedId(opening, 'contract', projectId)

export const packetIdOf = (projectId: string, opening: Opening): string =>
  certifiedId(opening, 'packet', projectId)

/**
 * Whether an id was given by somebody who signs nothing, as the founding or claim behind the statement says that opens it.
 * It never has the form of those that certify, so that nobody's can be opened in this way.
 */
export const isForeign = (id: string, root: Pick<Statement, 'body'>): boolean =>
  root.body['reported_by'] !== undefined && !CERTIFIED.test(id)

const CERTIFIED = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function certifiedId({ at, key, nonce }: Opening, ...of: string[]): string {
  const time = epochMillis(at).toString(16).padStart(12, '0')
  const hex = hashOf([...of, at, key, nonce])
  const variant = ((Number.parseInt(hex.slice(0, 2), 16) & 0x3f) | 0x80).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-8${hex.slice(2, 5)}-${variant}${hex.slice(5, 7)}-${hex.slice(7, 19)}`
}
