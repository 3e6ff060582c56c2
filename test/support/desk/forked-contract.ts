import { revision as revisionKind } from '../../../src/domain/statements/revision.ts'
import { say, timeToSay } from '../../../src/domain/statements/say.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import type { Desk } from './desk.ts'

/** What a repo that has not heard of anything since makes of the first version of a contract. */
export interface Fork {
  readonly projectId: string
  readonly contractId: string
  readonly repoName: string
  readonly content: JsonObject
}

/** As if it had come from the other side of a partition. */
export function forkContract(
  { store, clock }: Desk,
  { projectId, contractId, repoName, content }: Fork,
): Promise<null> {
  return store.commit((view) => {
    const found = view.projects.get(projectId)
    const contract = found?.contracts.get(contractId)
    const repo = found && [...found.repos.oldestFirst()].find(({ name }) => name === repoName)
    const by = repo?.holder?.speaks_by
    if (found === undefined || contract === undefined || by === undefined) throw new Error('nothing to fork')
    const body = { version: 2, parent: contract.opening, parties: [...contract.head.parties] }
    const at = timeToSay(clock.now(), found.newestAbout(contractId), by.since)
    const said = say(
      revisionKind,
      by,
      { about: contractId, at, body, content: { value: content, note: '' } },
      clock,
    )
    return { says: [said], result: null }
  })
}
