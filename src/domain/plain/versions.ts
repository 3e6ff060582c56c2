import { oncePer } from '../../protocol/collections/once-per.ts'
import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { ContractForm } from '../model.ts'
import { revision as revisionKind } from '../statements/revision.ts'
import type { ContractEntity, RevisionEntity } from '../views/entities.ts'
import { versionKey } from './form.ts'
import type { GivenContract } from './given.ts'
import { derivedNonce, notForAnother, type PlainPeerReporter } from './reporter.ts'

/** One version of a contract as a plain peer sends it, with the statement that it corresponds to. */
export interface PeerVersion {
  readonly id: string
  readonly key: string
  readonly version: number
  readonly parties: readonly string[]
  /** When it became the peer's head. */
  readonly since: Stamp
  /** The version as it is here; undefined if the peer has just written it. */
  readonly known: RevisionEntity | undefined
}

/** A contract as a plain peer sends it, with what is known of it. */
export interface ReceivedContract {
  readonly given: GivenContract
  readonly local: ContractEntity | undefined
  /** The forms that the peer was known to hold before, of any version. */
  readonly before: readonly ContractForm[]
  readonly reporter: PlainPeerReporter
  /** The parties of a contract that the peer opens, which it cannot name. */
  readonly parties: () => readonly string[]
}

/**
 * The versions that the peer sends, its head last. Versions by the peer itself are reported, others must be known
 * here. Empty if the peer sends a version by a repo of this daemon that does not exist here: somebody overwrote it
 * there, and this daemon will send it the right ones.
 */
export function readVersions(received: ReceivedContract): PeerVersion[] {
  const { given, local, reporter } = received
  const known: FindVersion = local === undefined ? () => undefined : versionsOf(local)
  const isMadeUp = ({ version, content, proposed_by }: Version) =>
    reporter.isSignedHere(proposed_by) && known(version, proposed_by, content) === undefined
  const isBehind = local !== undefined && given.version <= local.head.version
  if (isBehind && [...given.history, given].some(isMadeUp)) return []
  const versions: PeerVersion[] = []
  // The reference files a version when it is replaced, with the time and note of the replacing one.
  let since = given.created_at
  let note = ''
  for (const one of [...given.history, given]) {
    const { version, content, proposed_by } = one
    const here = known(version, proposed_by, content)
    if (here === undefined) {
      const parent = versions.findLast((before) => before.version === version - 1)
      versions.push(writeVersion(one, { ...received, parent, since, note }))
    } else {
      const key = versionKey(version, proposed_by, here.content)
      versions.push({ id: here.id, key, version, parties: here.parties, since, known: here })
    }
    if ('timestamp' in one) {
      since = one.timestamp as Stamp
      note = one.change_notes as string
    }
  }
  return versions
}

type Version = Pick<GivenContract, 'version' | 'content' | 'proposed_by'>

interface NewVersionInput extends ReceivedContract {
  readonly parent: PeerVersion | undefined
  readonly since: Stamp
  readonly note: string
}

function writeVersion(
  { version, content, proposed_by: author }: Version,
  wanted: NewVersionInput,
): PeerVersion {
  const { given, local, reporter, parent, since, note } = wanted
  const about = given.contract_id
  if (!reporter.holds(author))
    throw notForAnother(reporter.agentId, `write version ${version} by repo ${author}`)
  const isFirst = version === 1
  if (isFirst && local !== undefined)
    throw new Fault('conflict', `Contract ${about} has another version 1 here`)
  if (!isFirst && parent === undefined)
    throw new Fault('conflict', `version: ${version} does not follow a version that is known here`, {
      next: 'Send its history as well',
    })
  const parties = parent === undefined ? wanted.parties() : parent.parties
  const { type, name } = given
  const nonce = derivedNonce('contract', about, author, content)
  const rewritten =
    version <= (local?.head.version ?? 0) &&
    local?.history.revisions.findLast((one) => one.version === version && one.repo_id === author)
  const said = reporter.say(author, revisionKind, {
    about,
    time: since,
    after: rewritten ? rewritten.timestamp : undefined,
    body:
      parent === undefined
        ? { version, parent: null, type, name, nonce, parties }
        : { version, parent: parent.id, parties },
    content: { value: content, note },
  })
  return { id: said.id, key: versionKey(version, author, content), version, parties, since, known: undefined }
}

type FindVersion = (version: number, repoId: string, content: JsonObject) => RevisionEntity | undefined

/** Finds versions that are stored here; a version whose content was redacted matches any content. */
const versionsOf = oncePer(({ history: { revisions } }: ContractEntity): FindVersion => {
  const byKey = new Map(revisions.map((one) => [versionKey(one.version, one.repo_id, one.content), one]))
  return (version, repoId, content) =>
    byKey.get(versionKey(version, repoId, content)) ?? byKey.get(versionKey(version, repoId, null))
})
