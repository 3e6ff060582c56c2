import { oneLine } from '../../domain/names/quoted.ts'
import type { ResultOf } from '../../methods/table.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { printable } from '../output/printable.ts'

/** What is waited for, whose turn it is since when, and who acted last, in one line for each thing. */
export function waitProgress(
  until: object,
  { pending = [] }: Pick<ResultOf<'cacp/wait'>, 'pending'>,
): string {
  const goals = 'any' in until && Array.isArray(until.any) ? until.any : [until]
  if (pending.length === 0) return `waiting for ${goals.map(plainGoal).join(', or ')}`
  return pending
    .map((one) => printable(oneLine(`waiting for ${wanted(one, goals)}${standing(one)}`)))
    .join('\n')
}

/** The inbox and the feed have nothing pending that could be described. */
const plainGoal = (goal: object): string =>
  'inbox' in goal ? 'something to do' : 'feed' in goal ? 'a change' : 'what was named'

function wanted({ name, contractId, packetId, projectId }: JsonObject, goals: readonly JsonObject[]): string {
  if (packetId !== undefined) return `an answer to ${name}`
  const kind = contractId === undefined ? 'project' : 'contract'
  // With several goals of a kind it is not known which goal belongs to which pending thing.
  const [goal, ...others] = goals.flatMap((one) => (isJsonObject(one[kind]) ? [one[kind]] : []))
  const far = goal?.['statusAtLeast'] ?? goal?.['status']
  const version = goal?.['versionAbove'] === undefined ? '' : ` in a version above ${goal['versionAbove']}`
  const is = far === undefined || others.length > 0 ? '' : ` to be ${far}`
  return `${name ?? projectId}${is}${others.length > 0 ? '' : version}`
}

function standing({ status, version, waitsFor, to, since, objectedBy, last }: JsonObject): string {
  const whom = namesIn(waitsFor)
  const objected = namesIn(objectedBy)
  return [
    status === undefined ? '' : `: ${version === undefined ? '' : `version ${version} is `}${status}`,
    to === undefined
      ? ''
      : `; ${whom || 'any repository'} to ${to}${since === undefined ? '' : ` since ${minute(since)}`}`,
    objected === '' ? '' : `; objected to by ${objected}`,
    isJsonObject(last) ? `; last, ${minute(last['at'])}: ${last['repo']}, ${last['did']}` : '',
  ].join('')
}

const namesIn = (names: unknown): string => (Array.isArray(names) ? names.join(', ') : '')

/** Such as `2026-11-16 09:00Z`. */
const minute = (stamp: unknown): string => `${String(stamp).slice(0, 16).replace('T', ' ')}Z`
