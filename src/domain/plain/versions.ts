import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { revision as revisionKind } from '../statements/revision.ts'
import type { ContractEntity, RevisionEntity } from '../views/entities.ts'
import { versionKey } from './form.ts'
import type { GivenContract } from './given.ts'
import { derived, forAnother, type PlainVoice } from './voice.ts'

/** One version of a contract as a plain peer shows it, and which statement that is. */
export interface ShownVersion {
  readonly id: string
  readonly key: string
  readonly version: number
  readonly parties: readonly string[]
  /** From when on the peer had it for its head. */
  readonly since: Stamp
  /** As it is here; undefined for one that the peer just wrote. */
  readonly known: RevisionEntity | undefined
}

export interface VersionsSeen {
  readonly given: GivenContract
  readonly local: ContractEntity | undefined
  readonly voice: PlainVoice
  /** Of a contract that it opens: it cannot name them. */
  readonly parties: () => readonly string[]
}

/**
 * The versions that the peer shows, its head last. Those that it wrote itself are reported, others must be known. None
 * where somebody wrote over them what this daemon would know of, had anybody said it: that is mended there.
 */
export function readVersions({ given, local, voice, parties }: VersionsSeen): ShownVersion[] {
  const known = versionsOf(local)
  const isMadeUp = ({ version, content, proposed_by }: Version) =>
    voice.isSpokenForHere(proposed_by) && known(version, proposed_by, content) === undefined
  const isBehind = local !== undefined && given.version <= local.head.version
  if (isBehind && [...given.history, given].some(isMadeUp)) return []
  const shown: ShownVersion[] = []
  // The reference files a version when it is replaced, with the time and note of the one that does so.
  let since = given.created_at
  let note = ''
  for (const one of [...given.history, given]) {
    const { version, content, proposed_by } = one
    const here = known(version, proposed_by, content)
    if (here === undefined) {
      const parent = shown.findLast((before) => before.version === version - 1)
      const wanted = { given, local, voice, parties, parent, since, note }
      shown.push(writeVersion({ version, content, proposed_by }, wanted))
    } else {
      const key = versionKey(version, proposed_by, here.content)
      shown.push({ id: here.id, key, version, parties: here.parties, since, known: here })
    }
    if ('timestamp' in one) {
      since = one.timestamp as Stamp
      note = one.change_notes as string
    }
  }
  return shown
}

type Version = Pick<GivenContract, 'version' | 'content' | 'proposed_by'>

interface Wanted extends VersionsSeen {
  readonly parent: ShownVersion | undefined
  readonly since: Stamp
  readonly note: string
}

function writeVersion({ version, content, proposed_by: author }: Version, wanted: Wanted): ShownVersion {
  const { given, local, voice, parent, since, note } = wanted
  const about = given.contract_id
  if (!voice.holds(author)) throw forAnother(voice.agentId, `write version ${version} by repo ${author}`)
  const isFirst = version === 1
  if (isFirst && local !== undefined)
    throw new Fault('conflict', `Contract ${about} has another version 1 here`)
  if (!isFirst && parent === undefined)
    throw new Fault('conflict', `version: ${version} does not follow a version that is known here`, {
      next: 'Send its history as well',
    })
  const parties = parent === undefined ? wanted.parties() : parent.parties
  const { type, name } = given
  const nonce = derived('contract', about, author, content)
  const rewritten =
    version <= (local?.head.version ?? 0) &&
    local?.history.revisions.findLast((one) => one.version === version && one.repo_id === author)
  const said = voice.say(author, revisionKind, {
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

const found = new WeakMap<ContractEntity, FindVersion>()

/** Finds the versions that are here; of one whose content was taken away, any content is. */
function versionsOf(local: ContractEntity | undefined): FindVersion {
  if (local === undefined) return () => undefined
  let find = found.get(local)
  if (find === undefined) {
    const { revisions } = local.history
    const byKey = new Map(revisions.map((one) => [versionKey(one.version, one.repo_id, one.content), one]))
    find = (version, repoId, content) =>
      byKey.get(versionKey(version, repoId, content)) ?? byKey.get(versionKey(version, repoId, null))
    found.set(local, find)
  }
  return find
}
