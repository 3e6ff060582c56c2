import type { Stamp } from '../../protocol/stamp.ts'
import type { LocalChange } from '../change.ts'
import type { Caller } from '../env.ts'
import type { StoredFile, View } from '../view.ts'

/** Who brought which files, byte by byte: a local matter, like everything about who is let in. */

/** Somebody who brings files. */
export type Party = Pick<Caller, 'kind' | 'agentId' | 'credential'>

/** A peer is the same by whatever key; tokens of the same agent may be in the hands of many. */
export const partyOf = ({ kind, agentId, credential }: Party): string =>
  kind === 'token' ? `${kind} ${credential}` : `${kind} ${agentId}`

const idOf = (sha256: string, by: string): string => `${sha256} ${by}`

export const isBroughtBy = (view: View, sha256: string, party: Party): boolean =>
  view.uploads.get(idOf(sha256, partyOf(party))) !== undefined

/** Whether anybody brought it. */
export function isKnownUpload(view: View, sha256: string): boolean {
  for (const upload of view.uploads.oldestFirst()) if (upload.sha256 === sha256) return true
  return false
}

/** What a file counts at least, in bytes: the smallest, too, has its place on the disk and is remembered. */
export const LEAST_COUNTED = 1024

/** The bytes of all files that somebody brought and that are still here. */
export function bytesBroughtBy(view: View, party: Party): number {
  const by = partyOf(party)
  let bytes = 0
  for (const upload of view.uploads.oldestFirst())
    if (upload.by === by) bytes += Math.max(upload.size, LEAST_COUNTED)
  return bytes
}

export function broughtChange({ sha256, size }: StoredFile, party: Party, at: Stamp): LocalChange {
  const by = partyOf(party)
  return { table: 'upload', id: idOf(sha256, by), value: { sha256, by, size, at } }
}

/** Forgets who brought these files. */
export function forgettingUploads(view: View, isGone: (sha256: string) => boolean): LocalChange[] {
  return [...view.uploads.oldestFirst()]
    .filter(({ sha256 }) => isGone(sha256))
    .map(({ sha256, by }) => ({ table: 'upload', id: idOf(sha256, by), value: null }))
}
