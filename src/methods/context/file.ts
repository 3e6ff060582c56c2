import * as z from 'zod'
import { bringsFile, wantsFile } from '../../domain/context/question.ts'
import { repoName } from '../../domain/contract/next-step.ts'
import type { Caller, Env } from '../../domain/env.ts'
import { fileNamedIn, mayHave, noSuchFile } from '../../domain/files/shared-file.ts'
import { packetOf, projectOf } from '../../domain/lookup.ts'
import type { ProjectView, StoredFile, View } from '../../domain/view.ts'
import type { PacketEntity } from '../../domain/views/entities.ts'
import { isAny } from '../../protocol/collections/iterables.ts'
import { wrongField } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { AnyProjectWord, ProjectWord } from '../../protocol/named.ts'
import { Flag, Id, isId, Name, Sha256, Text } from '../../protocol/words.ts'
import { PageSize } from '../page.ts'
import { changes, EXAMPLE, method, readsProject } from '../row.ts'
import type { Services } from '../services.ts'
import { FileInput } from '../shapes.ts'
import { aboutPacket, newPacket, type PacketRequest } from './context.ts'
import { packetsOlderThan } from './reads.ts'

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

function bytesOf({ file }: { file: FileInput }): Uint8Array | null {
  return file.content === undefined ? null : Uint8Array.from(atob(file.content), (char) => char.charCodeAt(0))
}

/** The stored file that a call means: the one it contained inline, or the one it names by hash. */
function fileOf(view: View, { content, sha256 }: FileInput, env: Env): StoredFile {
  if ((content === undefined) === (sha256 === undefined))
    throw wrongField('file', 'give either content (base64) or sha256')
  if (env.attachment !== null) return env.attachment
  const size = sha256 === undefined ? undefined : view.fileSize(sha256)
  if (sha256 === undefined || size === undefined || !mayHave(view, sha256, env.caller))
    throw noSuchFile(sha256 ?? '', 'file.sha256')
  return { sha256, size }
}

interface FilePacket extends Pick<PacketRequest, 'projectId' | 'relatedContracts' | 'replyTo'> {
  readonly file: FileInput
  readonly purpose: string
}

function shareFile(view: View, { file, purpose, ...about }: FilePacket, env: Env) {
  const { sha256, size } = fileOf(view, file, env)
  const { name, contentType } = file
  const content = { file: { name, contentType, size, sha256 }, purpose }
  const packet = newPacket(view, { ...about, type: 'dependency_info', content }, env)
  return { packet, answer: { packetId: packet.about, sha256, savedTo: `/files/${sha256}`, size } }
}

const taking = {
  ...changes('file:share'),
  attachment: bytesOf,
  /** A file that is only named is searched for among the peers. */
  prepare: ({ files }: Services, { file: { sha256 } }: { file: FileInput }, caller: Caller) =>
    sha256 === undefined ? undefined : files.bring(sha256, { caller, isDaemon: false }),
} as const

export const share = method({
  name: 'cacp/file/share',
  summary: 'Share a file with the project.',
  ...taking,
  params: z.object({ ...aboutPacket, file: FileInput, purpose: Text.default('') }),
  result: z.object({ status: z.literal('received'), ...received }),
  example: {
    params: { projectId: EXAMPLE.projectId, file: EXAMPLE_FILE, purpose: 'sample payload' },
    result: { status: 'received', ...EXAMPLE_ANSWER },
  },
}).decide((view, given, env) => {
  const { packet, answer } = shareFile(view, given, env)
  return { result: { status: 'received', ...answer }, says: [packet] }
})

export const request = method({
  name: 'cacp/file/request',
  summary: 'Ask the other repositories for a file.',
  ...changes('file:share'),
  params: z.object({ ...aboutPacket, description: Text.min(1), suggestedFormat: Name.nullish() }),
  result: z.object({ status: z.literal('request_received'), requestId: z.string() }),
  example: {
    params: { projectId: EXAMPLE.projectId, description: 'A sample login response', suggestedFormat: 'json' },
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
function partsOfRequestId(requestId: string, given: string | undefined) {
  const isGiven = given !== undefined && requestId.startsWith(`${given}:`)
  const cut = isGiven ? given.length : requestId.lastIndexOf(':')
  const [projectId, packetId] = [requestId.slice(0, Math.max(cut, 0)), requestId.slice(cut + 1)]
  if (isId(projectId) && isId(packetId)) return { projectId, packetId }
  throw wrongField('requestId', 'must be one that cacp/file/request or cacp/file/listRequests gave')
}

export const listRequests = method({
  name: 'cacp/file/listRequests',
  summary: 'List the file requests of a project, newest first.',
  ...readsProject,
  params: z.object({ projectId: ProjectWord, includeFulfilled: Flag, limit: PageSize.default(50) }),
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
    const { question, suggestedFormat } = packet.content ?? {}
    requests.push({
      requestId: `${projectId}:${packet.packet_id}`,
      projectId,
      requestedBy: packet.repo_id,
      description: String(question ?? ''),
      suggestedFormat: typeof suggestedFormat === 'string' ? suggestedFormat : null,
      timestamp: packet.timestamp,
      fulfilled,
    })
  }
  return { result: { requests } }
})

export const fulfillRequest = method({
  name: 'cacp/file/fulfillRequest',
  summary: 'Answer a file request with a file.',
  ...taking,
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

export const list = method({
  name: 'cacp/file/list',
  summary: 'List the files that were shared in a project, newest first.',
  ...readsProject,
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
    name: labelIn(name) ?? '',
    size: typeof size === 'number' && Number.isSafeInteger(size) ? size : null,
    contentType: labelIn(contentType),
    from: repoName(found, packet.repo_id),
    at: packet.timestamp,
    purpose: labelIn(purpose),
    sha256,
    packetId: packet.packet_id,
  }
}

const labelIn = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, LIMITS.nameLength) : null
