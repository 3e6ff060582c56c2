import * as z from 'zod'
import { repoName } from '../../domain/contract/next-step.ts'
import { fileNamedIn } from '../../domain/files/shared-file.ts'
import { projectOf } from '../../domain/lookup.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { PacketEntity } from '../../domain/views/entities.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ProjectWord } from '../../protocol/named.ts'
import { Id, Sha256 } from '../../protocol/words.ts'
import { EXAMPLE } from '../examples.ts'
import { PageSize } from '../page.ts'
import { method } from '../row.ts'
import { packetsOlderThan } from './reads.ts'

export const list = method({
  name: 'cacp/file/list',
  summary: 'List the files that were shared in a project, newest first.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: ProjectWord,
    before: Id.optional().describe('packetId of the last one before; only older ones, to page on'),
    limit: PageSize.default(50),
  }),
  result: z.object({
    files: z.array(
      z.object({
        name: z.string(),
        size: z.int().nullable(),
        contentType: z.string().nullable(),
        from: z.string().describe('name of the repo'),
        at: z.string(),
        purpose: z.string().nullable(),
        sha256: z.string().describe('GET /files/{sha256}'),
        packetId: z.string(),
      }),
    ),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: {
      files: [
        {
          name: 'hello.txt',
          size: 5,
          contentType: 'text/plain',
          from: 'backend-api',
          at: EXAMPLE.time,
          purpose: 'sample payload',
          sha256: EXAMPLE.sha256,
          packetId: EXAMPLE.packetId,
        },
      ],
    },
  },
}).decide((view, { projectId, before, limit }, env) => {
  const found = projectOf(view, projectId, env)
  const files = []
  for (const packet of packetsOlderThan(found, before)) {
    const file = listedFile(packet, found)
    if (file !== undefined && files.push(file) === limit) break
  }
  return { result: { files } }
})

/** Undefined if the packet names no file by its hash. */
function listedFile(packet: PacketEntity, found: ProjectView) {
  const sha256 = fileNamedIn(packet)
  const { file, purpose } = packet.content ?? {}
  if (sha256 === null || !Sha256.safeParse(sha256).success || !isJsonObject(file)) return undefined
  const { name, size, contentType } = file
  return {
    name: typeof name === 'string' ? name.slice(0, LIMITS.nameLength) : '',
    size: typeof size === 'number' && Number.isSafeInteger(size) ? size : null,
    contentType: typeof contentType === 'string' ? contentType.slice(0, LIMITS.nameLength) : null,
    from: repoName(found, packet.repo_id),
    at: packet.timestamp,
    purpose: typeof purpose === 'string' ? purpose.slice(0, LIMITS.nameLength) : null,
    sha256,
    packetId: packet.packet_id,
  }
}
