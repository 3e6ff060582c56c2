import * as z from 'zod'
import type { Decision } from '../../domain/change.ts'
import { remarksIn } from '../../domain/context/decision.ts'
import { addressed } from '../../domain/context/message.ts'
import type { Env } from '../../domain/env.ts'
import { assertMayName } from '../../domain/files/shared-file.ts'
import { contractOf, memberOf, openProjectOf, packetOf, projectOf } from '../../domain/lookup.ts'
import { askIn } from '../../domain/project/joining-advice.ts'
import { mayActFor } from '../../domain/repo/acting-for.ts'
import { speakIn } from '../../domain/speaking/speaking.ts'
import { rootOf } from '../../domain/statements/admit.ts'
import { packet as packetKind } from '../../domain/statements/packet.ts'
import { redaction as redactionKind } from '../../domain/statements/redaction.ts'
import type { Unsigned } from '../../domain/statements/say.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import type { ClaimEntity, PacketEntity } from '../../domain/views/entities.ts'
import { Fault, wrongField } from '../../protocol/fault.ts'
import { Content, FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ContractWord, PacketWord, ProjectWord, RepoWord } from '../../protocol/named.ts'
import { readAs } from '../../protocol/read-as.ts'
import { ContextType, Flag, manyOf, Text, Texts } from '../../protocol/words.ts'
import { changes, EXAMPLE, method } from '../row.ts'

/** Params that every method for packets has besides the content. */
export const aboutPacket = {
  projectId: ProjectWord,
  relatedContracts: manyOf(ContractWord).default([]).describe('IDs or names of the contracts it is about'),
  replyTo: PacketWord.nullish().describe('the packet it answers: its id, or what the question asks'),
}
const Shared = z.object({ packetId: z.string(), status: z.literal('shared') })
const sharing = { ...changes('context:share'), result: Shared }
const EXAMPLE_RESULT = { packetId: EXAMPLE.packetId, status: 'shared' as const }

export interface PacketRequest {
  projectId: string
  relatedContracts: readonly string[]
  replyTo?: string | null | undefined
  type: ContextType
  content: JsonObject
}

/** The statement that shares a packet; whatever it refers to must exist. */
export function newPacket(view: View, given: PacketRequest, env: Env): Unsigned {
  const found = openProjectOf(view, given.projectId, env)
  const { speaksBy } = memberOf(found, env)
  for (const id of given.relatedContracts) contractOf(found, id)
  const replyTo = given.replyTo ?? null
  const answered = replyTo === null ? undefined : packetOf(found, replyTo)
  // A file that the call contained inline belongs to the caller.
  if (env.attachment === null) assertMayName(view, given, env.caller)
  const speak = speakIn(found, speaksBy, env)
  return speak(packetKind, {
    after: answered?.timestamp,
    body: {
      type: given.type,
      related_contracts: [...new Set(given.relatedContracts)],
      reply_to: replyTo,
      nonce: env.newNonce(),
    },
    content: checked(given.content),
  })
}

/** The bound that Content sets, whoever puts the content together. */
const checked = (content: JsonObject): JsonObject =>
  readAs(
    Content,
    content,
    ({ problem }) => new Fault('too_large', `content: ${problem}`, { data: { field: 'content' } }),
  )

function sharePacket(view: View, given: PacketRequest, env: Env): Decision<z.output<typeof Shared>> {
  const packet = newPacket(view, given, env)
  return { result: { packetId: packet.about, status: 'shared' }, says: [packet] }
}

export const share = method({
  name: 'cacp/context/share',
  summary: 'Share context with the project.',
  ...sharing,
  params: z.object({
    ...aboutPacket,
    type: ContextType,
    content: Content,
    to: manyOf(RepoWord)
      .default([])
      .describe(
        'names or IDs of the repos that it is for above all: content.to names them, and they have it in their inbox',
      ),
  }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      type: 'code_snippet',
      content: {
        language: 'python',
        file: 'auth/jwt.py',
        snippet: 'def verify_token(token: str) -> dict: ...',
        explanation: 'JWT verification function for authentication',
      },
      relatedContracts: [EXAMPLE.contractId],
    },
    result: EXAMPLE_RESULT,
  },
}).decide((view, { to, ...given }, env) =>
  sharePacket(
    view,
    { ...given, content: addressed(projectOf(view, given.projectId, env), given.content, to) },
    env,
  ),
)

export const shareCode = method({
  name: 'cacp/context/shareCode',
  summary: 'Share a piece of code.',
  ...sharing,
  params: z.object({
    ...aboutPacket,
    language: Text,
    file: Text,
    snippet: z.string().max(LIMITS.contentLength),
    explanation: Text.default(''),
    lineStart: z.int().min(1).nullish(),
    lineEnd: z.int().min(1).nullish(),
  }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      language: 'python',
      file: 'auth/jwt.py',
      snippet: 'def verify_token(token: str) -> dict: ...',
      explanation: 'JWT verification',
      lineStart: 10,
      lineEnd: 12,
    },
    result: EXAMPLE_RESULT,
  },
}).decide((view, { language, file, snippet, explanation, lineStart, lineEnd, ...about }, env) => {
  if (lineStart && lineEnd && lineEnd < lineStart) throw wrongField('lineEnd', 'must not be before lineStart')
  const content = {
    language,
    file,
    snippet,
    explanation,
    line_start: lineStart ?? null,
    line_end: lineEnd ?? null,
  }
  return sharePacket(view, { ...about, type: 'code_snippet', content }, env)
})

export const shareTypes = method({
  name: 'cacp/context/shareTypes',
  summary: 'Share type definitions.',
  ...sharing,
  params: z.object({
    ...aboutPacket,
    language: Text,
    definitions: z.union([z.string().max(LIMITS.contentLength), FreeObject]),
    note: Text.nullish(),
  }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      language: 'typescript',
      definitions: 'interface User { id: number; email: string }',
    },
    result: EXAMPLE_RESULT,
  },
}).decide((view, { language, definitions, note, ...about }, env) => {
  const content = { language, definitions, note: note ?? null }
  return sharePacket(view, { ...about, type: 'type_definition', content }, env)
})

export const askQuestion = method({
  name: 'cacp/context/askQuestion',
  summary: 'Ask the other repositories a question.',
  ...sharing,
  params: z.object({ ...aboutPacket, question: Text.min(1), options: manyOf(Text).nullish(), urgent: Flag }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      question: 'Should we use JWT or session cookies for auth?',
      options: ['JWT tokens', 'Session cookies', 'OAuth tokens'],
      urgent: false,
      relatedContracts: [EXAMPLE.contractId],
    },
    result: EXAMPLE_RESULT,
  },
}).decide((view, { question, options, urgent, ...about }, env) =>
  sharePacket(
    view,
    { ...about, type: 'question', content: { question, options: options ?? null, urgent } },
    env,
  ),
)

export const recordDecision = method({
  name: 'cacp/context/recordDecision',
  summary: 'Record a technical decision.',
  ...sharing,
  params: z.object({
    ...aboutPacket,
    decision: Text.min(1),
    chosen: Text,
    rationale: Text,
    implications: manyOf(Text).default([]),
  }),
  result: Shared.extend({
    notAmongOptions: z.boolean().optional().describe('the question does not offer what was chosen'),
    contradicts: Texts.optional().describe(
      'packet ids of decisions of other repos on the same question that choose something else',
    ),
    hint: z.string().optional(),
  }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      decision: 'Authentication method',
      chosen: 'JWT tokens',
      rationale: 'Better for stateless API, works across services',
      implications: ['Frontend must store token securely', 'Backend needs token refresh endpoint'],
      relatedContracts: [EXAMPLE.contractId],
    },
    result: EXAMPLE_RESULT,
  },
}).decide((view, { decision, chosen, rationale, implications, ...about }, env) => {
  const content = { decision, chosen, rationale, implications }
  const packet = newPacket(view, { ...about, type: 'decision', content }, env)
  return {
    says: [packet],
    tell: (after) => {
      const found = projectOf(after, about.projectId, env)
      const { not_among_options, contradicted_by } = remarksIn(found)(packetOf(found, packet.about))
      return {
        packetId: packet.about,
        status: 'shared',
        ...(not_among_options === undefined ? {} : { notAmongOptions: true }),
        ...(contradicted_by === undefined ? {} : { contradicts: contradicted_by, hint: CONTRADICTION }),
      }
    },
  }
})

const CONTRADICTION =
  'Another repo decided otherwise on this question; whoever decided later has it in its inbox until they choose the same'

export const redact = method({
  name: 'cacp/context/redact',
  summary:
    'Take back the content of a packet, everywhere and for good; a file it named stays stored by its hash.',
  ...changes('context:share'),
  params: z.object({ projectId: ProjectWord, packetId: PacketWord, reason: Text.default('') }),
  result: z.object({ packetId: z.string(), status: z.literal('redacted') }),
  example: {
    params: { projectId: EXAMPLE.projectId, packetId: EXAMPLE.packetId, reason: 'held a password' },
    result: { packetId: EXAMPLE.packetId, status: 'redacted' },
  },
}).decide((view, { projectId, packetId, reason }, env) => {
  const found = projectOf(view, projectId, env)
  const packet = packetOf(found, packetId)
  const author = authorOf(found, packet)
  if (author === undefined || !mayActFor(author, env))
    throw new Fault(
      'conflict',
      `Packet ${packetId} was written by ${packet.agent_id}; only it or the operator of its daemon can redact it`,
      {
        next: 'Ask for it with cacp/context/askQuestion',
        data: { packetId, call: askIn(projectId, `Please redact packet ${packetId}`) },
      },
    )
  const result = { packetId, status: 'redacted' as const }
  if (packet.redacted !== null) return { result }
  const body = { of: packet.id, reason }
  return { result, says: [speakIn(found, author.speaks_by, env)(redactionKind, { about: packetId, body })] }
})

/** The claim under which a packet was shared: it can be redacted only under the same claim. */
function authorOf({ repos, said }: ProjectView, packet: PacketEntity): ClaimEntity | undefined {
  const statement = said.fact(packet.id)
  const root = statement && rootOf(statement, said)
  return repos.get(packet.repo_id)?.claims.find(({ claim_id }) => claim_id === root?.id)
}
