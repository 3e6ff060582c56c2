import { isAny } from '../../protocol/collections/iterables.ts'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { LocalChange } from '../change.ts'
import { type Caller, seesEverything } from '../env.ts'
import { maySee, type Viewer, viewerOf } from '../lookup.ts'
import { packet as packetKind } from '../statements/packet.ts'
import type { Statement } from '../statements/statement.ts'
import { keyIdOf } from '../trust/key-id.ts'
import type { ProjectView, StoredFile, View } from '../view.ts'
import type { PacketEntity, ProjectEntity } from '../views/entities.ts'
import { isKnownUpload, isUploadedBy, type Party } from './upload.ts'

/**
 * Who may read a file: the operator, whoever uploaded it, and whoever sees a packet that names it. Since naming a
 * file in a packet gives access to all who see the packet, its author must have access itself. A packet whose author
 * is not known to have access is still kept, because replicas must become equal, but it gives access to nobody.
 */

/** A packet that names a file, with its project. */
interface FileMention {
  readonly found: ProjectView
  readonly packet: PacketEntity
}

type FileViewer = Viewer & Party

/** The packets that the viewer sees and that rightfully name the file; its own count only if it uploaded the file. */
export function* mentionsOf(view: View, sha256: string, viewer: FileViewer): Iterable<FileMention> {
  const isItsOwn = seesEverything(viewer) || isUploadedBy(view, sha256, viewer)
  for (const mention of allMentions(view, sha256)) {
    const isByRight = !isDoubted(view, mention) && (isItsOwn || !isSaidBy(mention.packet, viewer))
    if ((seesEverything(viewer) || isByRight) && maySee(mention.found, viewer)) yield mention
  }
}

/** The possible author of a packet. */
export type Speaker = Pick<Viewer, 'agentId' | 'pinned'>

/** An agent that signs nothing itself is known by the name that its reporter gave it. */
const isSaidBy = ({ key, reported_by, agent_id }: PacketEntity, { pinned, agentId }: Speaker): boolean =>
  reported_by === undefined ? key === pinned?.key : agent_id === agentId

/** Whether any packet here names the file, rightfully or not. */
export const isNamed = (view: View, sha256: string): boolean => isAny(allMentions(view, sha256))

export const mayHave = (view: View, sha256: string, caller: FileViewer): boolean =>
  seesEverything(caller) || isUploadedBy(view, sha256, caller) || isAny(mentionsOf(view, sha256, caller))

/** Refuses to name a file that is known here and that the caller may not read. An unknown file may be named. */
export function assertMayName(view: View, packet: Pick<PacketEntity, 'content'>, caller: Caller): void {
  const sha256 = fileNamedIn(packet)
  if (sha256 === null || !isKnown(view, sha256) || mayHave(view, sha256, caller)) return
  throw noSuchFile(sha256, 'content.file.sha256')
}

/** The same fault whether the file does not exist or the caller may not read it. */
export const noSuchFile = (sha256: string, field: string): Fault =>
  new Fault('not_found', `${field}: no file ${sha256.slice(0, 64)} here`, {
    next: 'Upload it first with POST /files, which answers its sha256',
    data: { field },
  })

/** Marks packets of others as doubted that name a file known here and whose author is not known to have access. */
export function doubtedMentionsIn(
  view: View,
  taken: readonly Statement[],
  { ownKey }: { ownKey: string },
): LocalChange[] {
  return taken.flatMap((statement): LocalChange[] => {
    const { kind, project_id, about, key, content } = statement
    if (kind !== packetKind.name || key === ownKey) return []
    const sha256 = fileNamedIn({ content: content?.value ?? null })
    const found = view.projects.get(project_id)
    if (sha256 === null || !isKnown(view, sha256) || isByRight(view, sha256, { found, key })) return []
    return [doubting({ project_id, packet_id: about })]
  })
}

/** Whether the file is rightfully named in the project already, or the author is a peer that may read it. */
function isByRight(
  view: View,
  sha256: string,
  { found, key }: { found: ProjectView | undefined; key: string },
): boolean {
  for (const packet of found?.packetsNaming(sha256) ?? [])
    if (found !== undefined && !isDoubted(view, { found, packet })) return true
  for (const peer of view.peers.oldestFirst())
    if (peer.trust === 'approved' && peer.identity !== undefined && keyIdOf(peer.identity) === key)
      return mayHave(view, sha256, viewerOf(peer))
  return false
}

/** Marks packets as doubted that named a file by its hash before it was uploaded, except those of the uploader. */
export function doubtedMentionsBefore(
  view: View,
  { sha256 }: StoredFile,
  { bringer, ownKey }: { bringer: Speaker; ownKey: string },
): LocalChange[] {
  if (isKnownUpload(view, sha256)) return []
  return [...allMentions(view, sha256)]
    .filter(({ packet }) => packet.key !== ownKey || packet.reported_by !== undefined)
    .filter(({ packet }) => !isSaidBy(packet, bringer))
    .map(({ found, packet }) =>
      doubting({ project_id: found.project.project_id, packet_id: packet.packet_id }),
    )
}

/** The hash of the file that a packet names; null if it names none. */
export function fileNamedIn({ content }: Pick<PacketEntity, 'content'>): string | null {
  const file = content?.['file']
  const sha256 = isJsonObject(file) ? file['sha256'] : undefined
  return typeof sha256 === 'string' ? sha256 : null
}

const isKnown = (view: View, sha256: string): boolean =>
  view.fileSize(sha256) !== undefined || isNamed(view, sha256)

function* allMentions(view: View, sha256: string): Iterable<FileMention> {
  for (const found of view.projectsNaming(sha256))
    for (const packet of found.packetsNaming(sha256)) yield { found, packet }
}

type PacketName = Pick<ProjectEntity, 'project_id'> & Pick<PacketEntity, 'packet_id'>

const isDoubted = (view: View, { found, packet }: FileMention): boolean =>
  view.namings.get(namingId({ ...found.project, ...packet })) !== undefined

const doubting = (name: PacketName): LocalChange => ({
  table: 'naming',
  id: namingId(name),
  value: { is_doubted: true },
})

export const namingId = ({ project_id, packet_id }: PacketName): string => `${project_id} ${packet_id}`
