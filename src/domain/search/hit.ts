import type { Stamp } from '../../protocol/stamp.ts'
import type { ProjectView } from '../view.ts'
import { snippetOf } from './snippet.ts'
import { contractText, packetText, responseText } from './text.ts'

export type HitKind = 'contract' | 'context' | 'response'

/** A search result. */
export interface Hit {
  readonly kind: HitKind
  readonly projectId: string
  readonly projectName: string
  readonly id: string
  /** The contract's name, also for a response to it; otherwise the type of the packet. */
  readonly name: string
  /** For a response. */
  readonly contractId?: string
  readonly snippet: string
  readonly score: number
  readonly at: Stamp
}

interface Found {
  readonly kind: string
  readonly id: string
  readonly entityId: string
  readonly score: number
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
    return packet && { kind, name: packet.type, text: packetText(packet), at: packet.timestamp }
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
