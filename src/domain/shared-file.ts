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
  for (const found of view.projects.oldestFirst()) {
    if (!maySee(found, viewer)) continue
    for (const packet of found.packets.newestFirst())
      if (hashNamedIn(packet) === sha256) yield { found, packet }
  }
}

function hashNamedIn({ content }: Packet): unknown {
  const file = content['file']
  return isJsonObject(file) ? file['sha256'] : undefined
}
