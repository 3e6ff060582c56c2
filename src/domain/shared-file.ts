import { Fault } from '../protocol/fault.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { Change, LocalChange } from './change.ts'
import { type Caller, isHomeCaller } from './env.ts'
import { maySee, type Viewer } from './lookup.ts'
import type { Packet } from './model.ts'
import { isBroughtBy, type Party } from './upload.ts'
import type { ProjectView, View } from './view.ts'

/**
 * Who may have a file: those at home here, whoever brought it, and whoever sees a packet that names it. Since whoever
 * names a file hands it to all who see the packet, it must be its to hand on; a packet of which nothing shows that
 * still is kept, because replicas have to become equal, but nobody gets the file by it.
 */

/** A packet that names a file, and where it stands. */
export interface FileMention {
  readonly found: ProjectView
  readonly packet: Packet
}

/** Whoever looks for a file. */
export type FileViewer = Viewer & Party

/** Where a file is named by right, as far as the viewer sees it. What only it says itself tells it nothing. */
export function* mentionsOf(view: View, sha256: string, viewer: FileViewer): Iterable<FileMention> {
  for (const mention of allMentions(view, sha256)) {
    const { from, is_doubted = false } = namingOf(view, mention) ?? {}
    const isNothingToIt = is_doubted || (from === viewer.agentId && !isBroughtBy(view, sha256, viewer))
    if ((isHomeCaller(viewer) || !isNothingToIt) && maySee(mention.found, viewer)) yield mention
  }
}

/** Whether any packet here names it, by right or not. */
export function isNamed(view: View, sha256: string): boolean {
  for (const _ of allMentions(view, sha256)) return true
  return false
}

export function mayHave(view: View, sha256: string, caller: FileViewer): boolean {
  if (isHomeCaller(caller) || isBroughtBy(view, sha256, caller)) return true
  for (const _ of mentionsOf(view, sha256, caller)) return true
  return false
}

/** Refuses what hands on a file that is known here and not the caller's. Of what nobody knows there is nothing to hand on. */
export function assertMayName(view: View, packet: Pick<Packet, 'content'>, caller: Caller): void {
  const sha256 = fileNamedIn(packet)
  if (sha256 === null || !isKnown(view, sha256) || mayHave(view, sha256, caller)) return
  throw noSuchFile(sha256, 'content.file.sha256')
}

/** The same whether there is no such file or it is not shown to whoever asks. */
export const noSuchFile = (sha256: string, field: string): Fault =>
  new Fault('not_found', `${field}: no file ${sha256.slice(0, 64)} here`, {
    next: 'Upload it first with POST /files, which answers its sha256',
    data: { field },
  })

/** What is noted of those packets that name a file, when they come from elsewhere. */
export function namingsIn(view: View, changes: readonly Change[], caller: Caller): LocalChange[] {
  if (isHomeCaller(caller)) return []
  return changes.flatMap((change): LocalChange[] => {
    if (change.kind !== 'packet') return []
    const { project_id, value: packet } = change
    const found = view.projects.get(project_id)
    const before = found?.packets.get(packet.packet_id)
    const sha256 = fileNamedIn(packet)
    if (sha256 === null) return []
    const is_doubted = isKnown(view, sha256) && !isByRight(view, sha256, { found, packet, caller })
    const isSame = before !== undefined && fileNamedIn(before) === sha256
    // What came by another way first, and was doubted, may now come from its author.
    if (isSame && (is_doubted || view.namings.get(namingId(change))?.is_doubted !== true)) return []
    return [{ table: 'naming', id: namingId(change), value: { from: caller.agentId, is_doubted } }]
  })
}

/**
 * Whether a packet about a file that is known here hands on nothing new, or comes from its author, whose file it is. One
 * that was handed on by another shows nothing: anybody could have written it.
 */
function isByRight(
  view: View,
  sha256: string,
  { found, packet, caller }: { found: ProjectView | undefined; packet: Packet; caller: Caller },
): boolean {
  for (const earlier of found?.packetsNaming(sha256) ?? [])
    if (found !== undefined && namingOf(view, { found, packet: earlier })?.is_doubted !== true) return true
  return packet.from_agent === caller.agentId && mayHave(view, sha256, caller)
}

/** The hash of the file that a packet names; null when it names none. */
export function fileNamedIn({ content }: Pick<Packet, 'content'>): string | null {
  const file = content['file']
  const sha256 = isJsonObject(file) ? file['sha256'] : undefined
  return typeof sha256 === 'string' ? sha256 : null
}

const isKnown = (view: View, sha256: string): boolean =>
  view.fileSize(sha256) !== undefined || isNamed(view, sha256)

function* allMentions(view: View, sha256: string): Iterable<FileMention> {
  for (const found of view.projectsNaming(sha256))
    for (const packet of found.packetsNaming(sha256)) yield { found, packet }
}

const namingOf = (view: View, { found, packet }: FileMention) =>
  view.namings.get(namingId({ project_id: found.project.project_id, id: packet.packet_id }))

const namingId = ({ project_id, id }: { project_id: string; id: string }): string => `${project_id} ${id}`
