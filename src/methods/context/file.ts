import * as z from 'zod'
import { bringsFile, wantsFile } from '../../domain/context/question.ts'
import type { Caller, Env } from '../../domain/env.ts'
import { mayHave, noSuchFile } from '../../domain/files/shared-file.ts'
import { packetOf, projectOf } from '../../domain/lookup.ts'
import type { StoredFile, View } from '../../domain/view.ts'
import type { PacketEntity } from '../../domain/views/entities.ts'
import { isAny } from '../../protocol/collections/iterables.ts'
import { wrongField } from '../../protocol/fault.ts'
import { AnyProjectWord, ProjectWord } from '../../protocol/named.ts'
import { isId, Name, Text } from '../../protocol/words.ts'
import { EXAMPLE } from '../examples.ts'
import { PageSize } from '../page.ts'
import { method } from '../row.ts'
import type { Services } from '../services.ts'
import { FileInput } from '../shapes.ts'
import { aboutPacket, newPacket, type PacketRequest } from './context.ts'

/**
 * Files are stored by their hash; a packet names each one, so files travel like any other context:
 * a request is a question, and the file that answers it is a reply.
 */

const EXAMPLE_FILE = { name: 'hello.txt', content: 'aGVsbG8=', contentType: 'text/plain' }
const EXAMPLE_REQUEST_ID = `${EXAMPLE.projectId}:${EXAMPLE.packetId}`

const received = {
  packetId: z.string(),
  sha256: z.string(),
  savedTo: z.string().describe('path under this daemon: GET it there'),
  size: z.int(),
}
const EXAMPLE_ANSWER = {
  packetId: EXAMPLE.packetId,
  sha256: EXAMPLE.sha256,
  savedTo: `/files/${EXAMPLE.sha256}`,
  size: 5,
}

function bytesOf({ file }: { file: z.output<typeof FileInput> }): Uint8Array | null {
  return file.content === undefined ? null : Uint8Array.from(atob(file.content), (char) => char.charCodeAt(0))
}

/** The stored file that a call means: the one it contained inline, or the one it names by hash. */
function fileOf(view: View, { content, sha256 }: z.output<typeof FileInput>, env: Env): StoredFile {
  if ((content === undefined) === (sha256 === undefined))
    throw wrongField('file', 'give either content (base64) or sha256')
  if (env.attachment !== null) return env.attachment
  const size = sha256 === undefined ? undefined : view.fileSize(sha256)
  if (sha256 === undefined || size === undefined || !mayHave(view, sha256, env.caller))
    throw noSuchFile(sha256 ?? '', 'file.sha256')
  return { sha256, size }
}

interface FilePacket extends Pick<PacketRequest, 'projectId' | 'relatedContracts' | 'replyTo'> {
  readonly file: z.output<typeof FileInput>
  readonly purpose: string
}

/** The packet that names the file, and the answer to whoever shared it. */
function shareFile(view: View, { file, purpose, ...about }: FilePacket, env: Env) {
  const { sha256, size } = fileOf(view, file, env)
  const { name, contentType } = file
  const content = { file: { name, contentType, size, sha256 }, purpose }
  const packet = newPacket(view, { ...about, type: 'dependency_info', content }, env)
  return { packet, answer: { packetId: packet.about, sha256, savedTo: `/files/${sha256}`, size } }
}

/** A file that is only named is searched for among the peers. */
const bringNamed = (
  { files }: Services,
  { file: { sha256 } }: { readonly file: z.output<typeof FileInput> },
  caller: Caller,
): Promise<unknown> | undefined =>
  sha256 === undefined ? undefined : files.bring(sha256, { caller, isDaemon: false })

export const share = method({
  name: 'cacp/file/share',
  summary: 'Share a file with the project.',
  access: 'write',
  permission: 'file:share',
  params: z.object({ ...aboutPacket, file: FileInput, purpose: Text.default('') }),
  result: z.object({ status: z.literal('received'), ...received }),
  example: {
    params: { projectId: EXAMPLE.projectId, file: EXAMPLE_FILE, purpose: 'sample payload' },
    result: { status: 'received', ...EXAMPLE_ANSWER },
  },
  attachment: bytesOf,
  prepare: bringNamed,
}).decide((view, given, env) => {
  const { packet, answer } = shareFile(view, given, env)
  return { result: { status: 'received', ...answer }, says: [packet] }
})

export const request = method({
  name: 'cacp/file/request',
  summary: 'Ask the other repositories for a file.',
  access: 'write',
  permission: 'file:share',
  params: z.object({ ...aboutPacket, description: Text.min(1), suggestedFormat: Name.nullish() }),
  result: z.object({ status: z.literal('request_received'), requestId: z.string() }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      description: 'A sample login response',
      suggestedFormat: 'json',
    },
    result: { status: 'request_received', requestId: EXAMPLE_REQUEST_ID },
  },
}).decide((view, { description, suggestedFormat, ...about }, env) => {
  const content = {
    question: description,
    options: null,
    urgent: false,
    wants: 'file',
    suggestedFormat: suggestedFormat ?? null,
  }
  const packet = newPacket(view, { ...about, type: 'question', content }, env)
  return {
    result: { status: 'request_received', requestId: `${about.projectId}:${packet.about}` },
    says: [packet],
  }
})

/** A project id may contain a colon; if the project is given as well, the split is certain. */
function partsOfRequestId(
  requestId: string,
  given: string | undefined,
): { projectId: string; packetId: string } {
  const isGiven = given !== undefined && requestId.startsWith(`${given}:`)
  const cut = isGiven ? given.length : requestId.lastIndexOf(':')
  const [projectId, packetId] = [requestId.slice(0, Math.max(cut, 0)), requestId.slice(cut + 1)]
  if (isId(projectId) && isId(packetId)) return { projectId, packetId }
  throw wrongField('requestId', 'must be one that cacp/file/request or cacp/file/listRequests gave')
}

export const listRequests = method({
  name: 'cacp/file/listRequests',
  summary: 'List the file requests of a project, newest first.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: ProjectWord,
    includeFulfilled: z.boolean().default(false),
    limit: PageSize.default(50),
  }),
  result: z.object({
    requests: z.array(
      z.object({
        requestId: z.string(),
        projectId: z.string(),
        requestedBy: z.string().describe('repo_id'),
        description: z.string(),
        suggestedFormat: z.string().nullable(),
        timestamp: z.string(),
        fulfilled: z.boolean(),
      }),
    ),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: {
      requests: [
        {
          requestId: EXAMPLE_REQUEST_ID,
          projectId: EXAMPLE.projectId,
          requestedBy: EXAMPLE.repoId,
          description: 'A sample login response',
          suggestedFormat: 'json',
          timestamp: EXAMPLE.time,
          fulfilled: false,
        },
      ],
    },
  },
}).decide((view, { projectId, includeFulfilled, limit }, env) => {
  const found = projectOf(view, projectId, env)
  const requests = []
  for (const packet of found.packets.newestFirst()) {
    if (requests.length === limit) break
    if (!wantsFile(packet)) continue
    const fulfilled = isAny(found.repliesTo(packet.packet_id), bringsFile)
    if (fulfilled && !includeFulfilled) continue
    requests.push({
      requestId: `${projectId}:${packet.packet_id}`,
      projectId,
      requestedBy: packet.repo_id,
      description: String(packet.content?.['question'] ?? ''),
      suggestedFormat: textIn(packet, 'suggestedFormat'),
      timestamp: packet.timestamp,
      fulfilled,
    })
  }
  return { result: { requests } }
})

function textIn({ content }: PacketEntity, key: string): string | null {
  const value = content?.[key]
  return typeof value === 'string' ? value : null
}

export const fulfillRequest = method({
  name: 'cacp/file/fulfillRequest',
  summary: 'Answer a file request with a file.',
  access: 'write',
  permission: 'file:share',
  params: z.object({
    requestId: z.string().max(257).describe('as cacp/file/request answered it'),
    projectId: AnyProjectWord.optional().describe('ID or name; the request says it, too'),
    file: FileInput,
    purpose: Text.default(''),
  }),
  result: z.object({ status: z.literal('fulfilled'), ...received }),
  example: {
    params: { requestId: EXAMPLE_REQUEST_ID, file: EXAMPLE_FILE },
    result: { status: 'fulfilled', ...EXAMPLE_ANSWER },
  },
  attachment: bytesOf,
  prepare: bringNamed,
}).decide((view, { requestId, projectId: given, file, purpose }, env) => {
  const { projectId, packetId } = partsOfRequestId(requestId, given)
  const asked = packetOf(projectOf(view, projectId, env), packetId)
  if (!wantsFile(asked))
    throw wrongField('requestId', `packet ${packetId} does not ask for a file`, {
      next: 'Take one from cacp/file/listRequests, or share the file with cacp/file/share',
      data: { call: { method: 'cacp/file/listRequests', params: { projectId } } },
    })
  const about = { projectId, relatedContracts: asked.related_contracts, replyTo: packetId }
  const { packet, answer } = shareFile(view, { ...about, file, purpose }, env)
  return { result: { status: 'fulfilled', ...answer }, says: [packet] }
})
