import { Fault } from '../../protocol/fault.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { answer as answerKind } from '../statements/answer.ts'
import { contentOf } from '../statements/kind.ts'
import { revision as revisionKind } from '../statements/revision.ts'
import type { Unsigned } from '../statements/say.ts'
import { changeIt, endProposal, onContract, refusal } from './advice.ts'
import type { Seat } from './contract.ts'
import { dependsOnField } from './dependencies.ts'

/** The next version of a contract, on top of its head. */
export interface NextVersion {
  readonly content: JsonObject
  readonly note: string
  readonly parties: readonly string[]
  readonly resolves?: readonly string[]
  /** The answer whose suggested change it adopts. */
  readonly accepts?: string | undefined
  readonly retire?: boolean
  /** Ids of contracts; missing: unchanged. */
  readonly dependsOn?: readonly string[] | undefined
}

export function nextVersion({ contract, repo, speak }: Seat, next: NextVersion): Unsigned {
  const { content: value, note, parties, resolves = [], accepts, retire = false } = next
  const { id: parent, version, depends_on } = contract.head
  const { dependsOn = depends_on } = next
  return speak(revisionKind, {
    about: contract.contract_id,
    body: {
      version: version + 1,
      parent,
      // All parties may have been removed from the project.
      parties: parties.length === 0 ? [repo.repo_id] : parties,
      ...(resolves.length === 0 ? {} : { resolves }),
      ...(accepts === undefined ? {} : { accepts }),
      ...(retire ? { retire } : {}),
      ...dependsOnField(dependsOn),
    },
    content: { value, note },
  })
}

/** Proposes the revision in force again, instead of what was proposed since. */
export function restored(seat: Seat, note: string | undefined): Unsigned {
  const { in_force, head, contract_id, is_retired } = seat.contract
  if (in_force === undefined)
    throw refusal(
      seat,
      `Nothing of contract ${contract_id} is in force that could be restored`,
      is_retired ? changeIt(seat, 'Propose it anew with cacp/contract/update') : endProposal(seat),
    )
  const { revision } = in_force
  if (revision.id === head.id)
    throw refusal(
      seat,
      `Version ${head.version} of contract ${contract_id} is in force, and nothing else is proposed`,
      changeIt(seat),
    )
  return nextVersion(seat, {
    content: revision.content ?? {},
    note: note ?? `as version ${revision.version}, which is in force`,
    parties: revision.parties,
    dependsOn: revision.depends_on,
  })
}

/** The change that an answer suggests; undefined if it is not a JSON object. */
export function suggestedChangeIn(seat: Seat, answerId: string): JsonObject | undefined {
  const { found, contract } = seat
  const said = found.said.fact(answerId)
  if (said?.kind !== answerKind.name || said.about !== contract.contract_id)
    throw new Fault(
      'not_found',
      `acceptSuggestion: contract ${contract.contract_id} has no answer ${answerId}`,
      {
        next: 'cacp/contract/get shows each answer with its response_id under responses',
        data: { field: 'acceptSuggestion', answerId, call: onContract(seat, 'cacp/contract/get') },
      },
    )
  const change = contentOf(answerKind, said)?.suggested_change
  return isJsonObject(change) ? change : undefined
}
