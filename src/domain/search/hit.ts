import * as z from 'zod'
import type { ProjectView } from '../view.ts'
import { snippetOf } from './snippet.ts'
import { contractText, plain, responseText } from './text.ts'

export const HIT_KINDS = ['contract', 'context', 'response'] as const

export const Hit = z.object({
  kind: z.enum(HIT_KINDS),
  projectId: z.string(),
  projectName: z.string(),
  id: z.string().describe('contract, packet or response ID'),
  name: z.string().describe('of the contract, also of the one that a response answers; else the type'),
  contractId: z.string().optional().describe('that a response answers'),
  snippet: z.string().describe('what others wrote, around the words that were found'),
  score: z.number(),
  at: z.string().describe('when it changed last'),
})
export type Hit = z.output<typeof Hit>

/** What a search found of a project. */
export interface Found {
  readonly kind: string
  readonly id: string
  /** The entity that was found, or that it is part of: for a response, its contract. */
  readonly entityId: string
  readonly score: number
  /** The words in it that match the query, normalized. */
  readonly terms: readonly string[]
}

const SNIPPET_LENGTH = 240

/** Empty if the entity is no longer there. */
export function hitOf(found: Found, project: ProjectView): Hit[] {
  const details = hitDetails(found, project)
  if (details === undefined) return []
  const { text, ...rest } = details
  return [
    {
      projectId: project.project.project_id,
      projectName: project.project.name,
      id: found.id,
      ...rest,
      snippet: snippetOf(text, new Set(found.terms), SNIPPET_LENGTH),
      score: Math.round(found.score * 100) / 100,
    },
  ]
}

type HitDetails = Pick<Hit, 'kind' | 'name' | 'contractId' | 'at'> & { readonly text: string }

function hitDetails(
  { kind, id, entityId }: Found,
  { contracts, packets, said }: ProjectView,
): HitDetails | undefined {
  if (kind === 'context') {
    const packet = packets.get(id)
    return packet && { kind, name: packet.type, text: plain(packet.content), at: packet.timestamp }
  }
  const contract = contracts.get(entityId)
  if (contract === undefined || contract.is_withdrawn) return undefined
  const { name } = contract
  if (kind === 'contract') return { kind, name, text: contractText(contract), at: contract.updated_at }
  if (kind !== 'response') return undefined
  const statement = said.get(id)
  const response = statement?.kind === 'answer' ? contract.answer(statement) : undefined
  return (
    response && { kind, name, contractId: entityId, text: responseText(response), at: response.timestamp }
  )
}
