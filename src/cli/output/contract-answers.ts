import { isJsonObject } from '../../protocol/json/json.ts'

type Row = Readonly<Record<string, unknown>>

/** Who has answered what to the newest version of a contract. */
export interface Answers {
  readonly agree: readonly string[]
  readonly objects: readonly string[]
  readonly silent: readonly string[]
}

/** Keys of a contract that `Answers` replaces. */
export const ANSWERED: ReadonlySet<string> = new Set(['objections', 'unanswered', 'needed'])

/** By the ids of repos; undefined where it is no contract. */
export function answersTo(contract: Row): Answers | undefined {
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
