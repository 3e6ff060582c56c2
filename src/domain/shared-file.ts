import { isJsonObject } from '../protocol/json.ts'
import { maySee, type Viewer } from './lookup.ts'
import type { Packet } from './model.ts'
import type { ProjectView, View } from './view.ts'

/** A packet that names a file, and where it stands. */
export interface FileMention {
  readonly found: ProjectView
  readonly packet: Packet
}

/** Where a file is named, as far as the viewer sees it. */
export function* mentionsOf(view: View, sha256: string, viewer: Viewer): Iterable<FileMention> {
  for (const found of view.projects.oldestFirst())
    for (const packet of found.packetsNaming(sha256)) if (maySee(found, viewer)) yield { found, packet }
}

/** The hash of the file that a packet names; null when it names none. */
export function fileNamedIn({ content }: Packet): string | null {
  const file = content['file']
  const sha256 = isJsonObject(file) ? file['sha256'] : undefined
  return typeof sha256 === 'string' ? sha256 : null
}
