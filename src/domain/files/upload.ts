import { isAny } from '../../protocol/collections/iterables.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { LocalChange } from '../change.ts'
import type { Caller } from '../env.ts'
import type { StoredFile, View } from '../view.ts'

/** Who uploaded which files. Local, like everything about access. */

/** Somebody who uploads files. */
export type Party = Pick<Caller, 'kind' | 'agentId' | 'credential'>

/** A peer is the same whatever key it uses; tokens of one agent may be in many hands, so each is its own party. */
export const partyOf = ({ kind, agentId, credential }: Party): string =>
  kind === 'token' ? `${kind} ${credential}` : `${kind} ${agentId}`

const idOf = (sha256: string, by: string): string => `${sha256} ${by}`

export const isUploadedBy = (view: View, sha256: string, party: Party): boolean =>
  view.uploads.get(idOf(sha256, partyOf(party))) !== undefined

/** Whether anybody uploaded it. */
export const isKnownUpload = (view: View, sha256: string): boolean =>
  isAny(view.uploads.oldestFirst(), (upload) => upload.sha256 === sha256)

/** The least number of bytes that a file counts: even the smallest takes space on disk and a record. */
export const LEAST_COUNTED_BYTES = 1024

/** The size of all files that a party uploaded and that are still here. */
export function bytesUploadedBy(view: View, party: Party): number {
  const by = partyOf(party)
  let bytes = 0
  for (const upload of view.uploads.oldestFirst())
    if (upload.by === by) bytes += Math.max(upload.size, LEAST_COUNTED_BYTES)
  return bytes
}

export function uploadChange({ sha256, size }: StoredFile, party: Party, at: Stamp): LocalChange {
  const by = partyOf(party)
  return { table: 'upload', id: idOf(sha256, by), value: { sha256, by, size, at } }
}

/** Removes the records of who uploaded these files. */
export function forgettingUploads(view: View, isGone: (sha256: string) => boolean): LocalChange[] {
  return [...view.uploads.oldestFirst()]
    .filter(({ sha256 }) => isGone(sha256))
    .map(({ sha256, by }) => ({ table: 'upload', id: idOf(sha256, by), value: null }))
}
