import type { Stamp } from '../../protocol/stamp.ts'
import type { ProjectView } from '../view.ts'
import { snippetOf } from './snippet.ts'
import { contractText, packetText, responseText } from './text.ts'

export type HitKind = 'contract' | 'context' | 'response'

/** What a search found, as it is told. */
export interface Hit {
  readonly kind: HitKind
  readonly projectId: string
  readonly projectName: string
  readonly id: string
  /** Of a contract, also of the one that a response answers; else the type of the packet. */
  readonly name: string
  /** Of a response. */
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

/** Nothing, if what was found is not there any more. */
export function hitOf(found: Found, project: ProjectView): Hit[] {
  const told = toldOf(found, project)
  if (told === undefined) return []
  const { text, ...rest } = told
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

type Told = Pick<Hit, 'kind' | 'name' | 'contractId' | 'at'> & { readonly text: string }

function toldOf({ kind, id, entityId }: Found, { contracts, packets, said }: ProjectView): Told | undefined {
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
