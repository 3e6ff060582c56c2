import * as z from 'zod'
import { cutAt, oneLine, shortened } from '../names/quoted.ts'
import type { ProjectView } from '../view.ts'
import { contractText, plain, responseText } from './text.ts'
import { foldWord, NAME, wordsOf } from './words.ts'

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

/** Characters before the first match. */
const BEFORE = 40

interface Match {
  readonly at: number
  readonly term: string
}

/** The part of a text with the most matching terms, on one line. */
export function snippetOf(text: string, terms: ReadonlySet<string>, most: number): string {
  const line = oneLine(text)
  if (line.length <= most) return line
  const first = bestMatch(line, terms, most - BEFORE) ?? 0
  if (first <= BEFORE) return shortened(line, most)
  const blank = line.indexOf(' ', first - BEFORE)
  // A longer word is cut, but not inside a character.
  const start = blank >= 0 && blank < first ? blank + 1 : cutAt(line, first - BEFORE).length
  return `…${shortened(line.slice(start), most - 1)}`
}

/** The start position after which the most different terms follow within this width. */
function bestMatch(line: string, terms: ReadonlySet<string>, width: number): number | undefined {
  const near: Match[] = []
  let best: number | undefined
  let most = 0
  for (const match of matchesIn(line, terms)) {
    near.push(match)
    while (match.at - (near[0]?.at ?? 0) > width) near.shift()
    const count = new Set(near.map(({ term }) => term)).size
    if (count <= most) continue
    most = count
    best = near[0]?.at
    if (most === terms.size) return best
  }
  return best
}

function* matchesIn(line: string, terms: ReadonlySet<string>): Iterable<Match> {
  for (const { 0: name, index } of line.matchAll(NAME)) {
    for (const word of wordsOf(name)) {
      const term = foldWord(word)
      if (terms.has(term)) yield { at: index, term }
    }
  }
}
