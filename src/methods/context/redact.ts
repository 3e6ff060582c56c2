import * as z from 'zod'
import { packetOf, projectOf } from '../../domain/lookup.ts'
import { askIn } from '../../domain/project/joining-advice.ts'
import { mayActFor } from '../../domain/repo/acting-for.ts'
import { speakIn } from '../../domain/speaking/speaking.ts'
import { rootOf } from '../../domain/statements/admit.ts'
import { redaction as redactionKind } from '../../domain/statements/redaction.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ClaimEntity, PacketEntity } from '../../domain/views/entities.ts'
import { Fault } from '../../protocol/fault.ts'
import { PacketWord, ProjectWord } from '../../protocol/named.ts'
import { Text } from '../../protocol/words.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'

export const redact = method({
  name: 'cacp/context/redact',
  summary:
    'Take back the content of a packet, everywhere and for good; a file it named stays stored by its hash.',
  access: 'write',
  permission: 'context:share',
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
