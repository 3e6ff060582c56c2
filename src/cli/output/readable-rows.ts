import { reservationOn } from '../../domain/contract/reservation.ts'
import { oneLine, shortened, textOf } from '../../domain/names/quoted.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import type { Row } from './columns.ts'
import { shortIds } from './short-ids.ts'
import { isMoment, timeAgo } from './time-ago.ts'

/** What is needed beyond the answer to show it. */
export interface Known {
  /** Milliseconds; without it times are shown as they are. */
  readonly now?: number | undefined
  readonly repos?: ReadonlyMap<string, string> | undefined
}

/** One object: repos by their names, and times also as how long ago. Its own ids stay whole. */
export function readableRow(given: Row, { now, repos }: Known): Row {
  const row = withArchiver(given, repos)
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(
    withSuggested(withDelivery(withContents(asItStands(row), row))),
  )) {
    if (REPO_ID.has(key)) shown[key] = value
    else if (now !== undefined && isMoment(key, value)) shown[key] = `${value} (${timeAgo(value, now)})`
    else shown[key] = named(value, repos)
  }
  return shown
}

/** Whoever archived a project in one line, with its repo. */
function withArchiver(row: Row, repos: Known['repos']): Row {
  const by = row['archived_by']
  if (!isJsonObject(by)) return row
  const { repo_id: id, agent_id: agent, at = null } = by
  const repo = typeof id === 'string' ? (repos?.get(id) ?? id) : 'its founder'
  return { ...row, archived_by: `${repo} (${agent})`, archived_at: at }
}

/** The rows of a list: ids cut to what the command line takes back, times as how long ago, unusual states as marks. */
export function readableRows(rows: readonly Row[], { now, repos }: Known): Row[] {
  const short = shortIds(rows.flatMap(idsToShorten))
  return rows.map((row) => {
    const shown: Record<string, unknown> = {}
    const standing = asItStands(row)
    for (const [key, value] of Object.entries(standing)) {
      const told = SHORTENED.has(key)
        ? each(value, short)
        : named(inFewWords(key, value, { ...row, ...standing, inForce: row['inForce'] }), repos)
      if (MARKED.has(key) || isNamed(key, told, row)) continue
      shown[REPO_ID.has(key) ? 'repo' : key] =
        now !== undefined && isMoment(key, value) ? timeAgo(value, now) : told
    }
    const marks = marksOn(standing)
    if (marks.length > 0) shown['marks'] = marks
    return shown
  })
}

/** The ids that the command line takes the beginning of. */
const SHORTENED = new Set([
  ...['project_id', 'projectId', 'contract_id', 'contractId', 'packet_id', 'packetId', 'reply_to', 'replyTo'],
  ...['related_contracts', 'relatedContracts', 'contradicted_by', 'replaced_by', 'run_id', 'workId'],
])

function idsToShorten(row: Row): string[] {
  const keys = Object.keys(row).filter((key) => SHORTENED.has(key))
  return keys.flatMap((key) => row[key]).filter((one): one is string => typeof one === 'string')
}

const REPO_ID = new Set(['repo_id', 'repoId'])

/** A row that has the name of its repo needs no more of it. */
const isNamed = (key: string, value: unknown, { repo, name }: Row): boolean =>
  REPO_ID.has(key) && (repo !== undefined || value === name)

/** Values that are too long for a row, in short. */
function inFewWords(
  key: string,
  value: unknown,
  { version, status, inForce, objects, silent, withdrawn }: Row,
): unknown {
  if (key === 'inForce' && isJsonObject(inForce))
    return value === inForceText({ version, status }) ? 'yes' : `${inForce['version']}, ${inForce['status']}`
  // Of what was taken back not all have agreed, though nobody is waited for.
  if (key === 'agree' && withdrawn !== true && isNobody(objects) && isNobody(silent))
    return isNobody(value) ? value : 'all'
  if (key === 'dependsOn' && Array.isArray(value))
    return value.map(({ name, inForce }) => (inForce === true ? name : `${name} (not in force)`))
  if ((key === 'error' || key === 'failure') && isJsonObject(value))
    return shortened(`${value['code'] ?? value['kind']}: ${value['message']}`, CUT_LENGTH)
  return key === 'prompt' ? shortened(oneLine(String(value)), CUT_LENGTH) : value
}

const isNobody = (repos: unknown): boolean => Array.isArray(repos) && repos.length === 0

/** Puts the delivery of each packet into its row. */
function withDelivery(row: Row): Row {
  const { delivery, packets, ...others } = row
  if (!isJsonObject(delivery) || !Array.isArray(packets)) return row
  return {
    ...others,
    packets: packets.map((packet) => {
      const places = delivery[packet.packet_id]
      return Array.isArray(places)
        ? { ...packet, delivery: places.map(({ repo, state }) => `${repo} ${state}`) }
        : packet
    }),
  }
}

/** Of what stands in full elsewhere: as much as fits into a cell. */
const CUT_LENGTH = 40

/** Each suggestion with what it is, instead of the id of the response that made it. */
function withSuggested(row: Row): Row {
  const { suggestions, responses } = row
  if (!Array.isArray(suggestions) || !Array.isArray(responses)) return row
  const said = new Map(responses.map((one) => [one.response_id, one.suggested_change]))
  return {
    ...row,
    suggestions: suggestions.map(({ response_id, ...one }) => ({
      ...one,
      suggested: shortened(oneLine(textOf(said.get(response_id) ?? '')), CUT_LENGTH),
    })),
  }
}

function each(value: unknown, tell: (text: string) => string): unknown {
  if (typeof value === 'string') return tell(value)
  return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? tell(one) : one)) : value
}

/** Ids of repos are replaced wherever they stand, since no name can look like one. Several are in the order of their names. */
function named(value: unknown, repos: Known['repos']): unknown {
  if (repos === undefined) return value
  const isOfRepos = Array.isArray(value) && value.every((one) => repos.has(one))
  if (isOfRepos) return value.map((id) => repos.get(id) ?? id).sort(compareText)
  return each(value, (text) => repos.get(text) ?? text)
}

/** One contract in full: what was taken back says so at once, and what holds stands beside what is proposed. */
function withContents(shown: Row, { contract_id, withdrawn, status, inForce }: Row): Row {
  if (withdrawn === true) return status === undefined ? shown : { ...shown, status: `${status}, withdrawn` }
  if (!isJsonObject(inForce) || inForce['content'] === undefined) return shown
  return {
    ...shown,
    inForce: `${inForceText(inForce)}; \`cacpd contract diff ${contract_id}\` shows what the newest version would change`,
    contentInForce: inForce['content'],
  }
}

/** Flags that say something only where they are true. */
const FLAGS = ['withdrawn', 'retired']

/**
 * A contract, a packet or a part of one as people want to read it: whose word it is only where there is a reservation,
 * what is in force in a few words, who has answered what, and no flag that is not set.
 */
function asItStands(given: Row): Row {
  const row = withOwnPart(eventInWords(given))
  const { by, inForce, head } = row as JsonObject
  const author = by ?? (isJsonObject(head) ? head['by'] : undefined)
  const answers = answersTo(row)
  if (!isStatement(author) && inForce === undefined && answers === undefined) return row
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row)) {
    const isTold = answers !== undefined && ANSWERED.has(key)
    if (key !== 'by' && !isTold && !(FLAGS.includes(key) && value === false)) shown[key] = value
  }
  if (isJsonObject(inForce)) shown['inForce'] = inForceText(inForce)
  const reservation = reservationOn(author)
  return { ...shown, ...answers, ...(reservation === '' ? {} : { by: reservation }) }
}

/** An event of the feed: what changed by its name and status, instead of all of it. */
function eventInWords(given: Row): Row {
  const { cursor, value, ...event } = given
  if (typeof cursor !== 'string' || !isJsonObject(value)) return given
  const { name, type, status, gone } = value
  return { ...event, name: name ?? type ?? null, status: gone === true ? 'gone' : (status ?? null) }
}

/** What a repo did is not yet how the contract stands, which is what people look for first. */
function withOwnPart(given: Row): Row {
  const { contractStatus, status, ...row } = given
  return contractStatus === undefined || status === undefined
    ? given
    : { contractStatus, yours: status, ...row }
}

const inForceText = ({ version, status }: Row): string => `version ${version}, ${status}`

const isStatement = (by: unknown): boolean => isJsonObject(by) && typeof by['statement'] === 'string'

/** Keys of a row that its marks replace. */
const MARKED: ReadonlySet<string> = new Set([
  ...['withdrawn', 'retired', 'archived'],
  ...['conflicts', 'conflictCount', 'failed', 'endProposed'],
])

/** Marks for the unusual states of a contract or a project in a list. */
function marksOn(row: Row): string[] {
  const { conflicts, conflictCount, objects, failed, endProposed, withdrawn, retired, archived } = row
  const marks = {
    conflict: isThere(conflicts) || Number(conflictCount ?? 0) > 0,
    objection: isThere(objects),
    failure: failed === true,
    'end proposed': endProposed === true,
    withdrawn: withdrawn === true,
    retired: retired === true,
    archived: archived === true,
  }
  return Object.entries(marks).flatMap(([mark, isSet]) => (isSet ? [mark] : []))
}

const isThere = (list: unknown): boolean => Array.isArray(list) && list.length > 0

/** Keys of a contract that `answersTo` replaces. */
const ANSWERED: ReadonlySet<string> = new Set(['objections', 'unanswered', 'needed'])

/** Who has answered what to the newest version of a contract, by the ids of repos; undefined where it is no contract. */
function answersTo(contract: Row) {
  const { objections, unanswered, status, withdrawn } = contract
  const needed = isJsonObject(contract['head']) ? contract['head']['needed'] : contract['needed']
  const author = contract['proposed_by'] ?? contract['proposedBy']
  if (!isTexts(objections) || !isTexts(unanswered) || !isTexts(needed) || typeof author !== 'string')
    return undefined
  // An author agrees by writing it, unless there is nobody else to say it.
  const isAlone = needed.every((repo) => repo === author)
  const silent = isAlone && status === 'proposed' ? [author] : unanswered
  const agree = new Set([author, ...needed])
  for (const repo of [...objections, ...silent]) agree.delete(repo)
  // Nobody has to answer a withdrawn contract.
  return { agree: [...agree], objects: objections, silent: withdrawn === true ? [] : silent }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
