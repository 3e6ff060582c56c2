import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import type { View } from '../view.ts'

interface Author {
  readonly agent_id: string
  readonly reported_by?: string
  readonly revoked?: true
}

interface Authored {
  readonly by: Author
}

/** The lists of a contract whose entries have authors. */
const AUTHORED_LISTS = [
  'history',
  'conflicts',
  'responses',
  'implementations',
  'past_implementations',
  'verifications',
] as const

type ContractReport = { readonly head: Authored } & Readonly<
  Record<(typeof AUTHORED_LISTS)[number], readonly Authored[]>
>

/** Marks what agents wrote that are revoked here: their statements stay, but readers see the mark. */
export function revokedMarker(view: View): <One extends Authored>(one: One) => One {
  const known = new Map<string, boolean>()
  const isRevoked = (agentId: string): boolean =>
    getOrAdd(known, agentId, () => view.peers.get(agentId)?.trust === 'revoked')
  return (one) =>
    isRevoked(one.by.agent_id) || (one.by.reported_by !== undefined && isRevoked(one.by.reported_by))
      ? { ...one, by: { ...one.by, revoked: true } }
      : one
}

export function markRevoked<Report extends ContractReport>(view: View, report: Report): Report {
  const mark = revokedMarker(view)
  const lists = AUTHORED_LISTS.map((list) => [list, report[list].map(mark)])
  return { ...report, head: mark(report.head), ...Object.fromEntries(lists) }
}
