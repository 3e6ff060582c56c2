import { defined } from '../../protocol/collections/defined.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { placed } from '../contract/review-text.ts'
import { MOST_WORK_OF_COMMAND } from '../interface/budget.ts'
import type { Interface, Slot } from '../interface/model.ts'
import { type Review, readInterface, reviewFor } from '../interface/review.ts'
import type { InForce } from '../types/types.ts'
import { type Item, SOURCE } from './item.ts'

/** A contract of a project: its newest version, and the one in force. */
export interface Standing extends InForce {
  readonly inForce: Pick<InForce, 'version' | 'content'> | null
}

const read = (type: string, content: JsonObject): Interface =>
  readInterface(type, content, MOST_WORK_OF_COMMAND)

/** Finds the contract that an item of a document is about: by its name, else by what is called or sent. */
export function matcherOf(contracts: readonly Standing[]): (item: Item) => Standing | undefined {
  const byName = new Map<string, Standing>()
  const byKey = new Map<string, Standing>()
  for (const contract of contracts) {
    getOrAdd(byName, contract.name, () => contract)
    const key = keyOf(contract.type, contract.inForce?.content ?? contract.content)
    if (key !== undefined) getOrAdd(byKey, key, () => contract)
  }
  return ({ name, type, content }) => byName.get(name) ?? byKey.get(keyOf(type, content) ?? '')
}

/** What tells one operation or message from all others; models have nothing but their names. */
function keyOf(type: string, content: JsonObject): string | undefined {
  const { form, operations } = read(type, content)
  if (form !== 'http' && form !== 'event') return undefined
  const [only, ...more] = operations.filter(({ slots }) => slots.length > 0)
  return only === undefined || more.length > 0 ? undefined : `${form} ${only.key}`
}

/** How contents differ in what they mean, where they do. Only documents say how one signs in: elsewhere that is open. */
export function reviewOf(type: string, before: JsonObject, after: JsonObject): Review {
  const both = [read(type, before), read(type, after)] as const
  const isTold = both.every(({ content }) => isJsonObject(content) && typeof content['openapi'] === 'string')
  const [old, now] = isTold ? both : (both.map(withoutSecurity) as [Interface, Interface])
  return reviewFor({ most: MOST_WORK_OF_COMMAND }, old, now)
}

/** Field by field, because findings are looked for when somebody reads them. */
function withoutSecurity(given: Interface): Interface {
  const { form, content, work, tellsDirections, operations, graphql, protobuf, why, isUnread } = given
  const isOpen = ({ at }: Slot) => !/^security\b/.test(at)
  return {
    ...{ form, content, work, tellsDirections, graphql, protobuf },
    ...defined({ why, isUnread }),
    findings: [],
    operations: operations.map((one) => ({ ...one, slots: one.slots.filter(isOpen) })),
  }
}

/** What an import would do with one item. */
export interface Step {
  readonly item: Item
  readonly act: 'propose' | 'update' | 'unchanged'
  readonly contract?: Standing
}

/** What is to be proposed so that contracts say what a document says: only what means something else. */
export function importSteps(items: readonly Item[], contracts: readonly Standing[]): readonly Step[] {
  const find = matcherOf(contracts)
  return items.map((item): Step => {
    const contract = find(item)
    if (contract === undefined) return { item, act: 'propose' }
    const isSame = reviewOf(contract.type, contract.content, item.content).all.length === 0
    return { item, contract, act: isSame ? 'unchanged' : 'update' }
  })
}

export const DRIFTS = ['breaking', 'behind', 'ahead', 'unknown', 'same'] as const
export type Drift = (typeof DRIFTS)[number]

export interface DriftRow {
  readonly name: string
  readonly drift: Drift
  readonly contractId?: string
  /** The version in force. */
  readonly version?: number
  readonly say: readonly string[]
}

/** The document against what is in force, the worst first. */
export function driftOf(
  items: readonly Item[],
  contracts: readonly Standing[],
  source: string,
): readonly DriftRow[] {
  const inForce = contracts.filter((one) => one.inForce !== null)
  const find = matcherOf(inForce)
  const met = new Set<Standing>()
  const rows = items.map((item): DriftRow => {
    const contract = find(item)
    if (contract === undefined)
      return { name: item.name, drift: 'ahead', say: ['the document has it, and nothing of it is in force'] }
    met.add(contract)
    return compared(item, contract)
  })
  for (const contract of inForce)
    if (!met.has(contract) && contract.inForce?.content[SOURCE] === source)
      rows.push({
        ...idsOf(contract),
        drift: 'behind',
        say: ['it is in force, and the document does not have it any more'],
      })
  return rows.sort((a, b) => DRIFTS.indexOf(a.drift) - DRIFTS.indexOf(b.drift))
}

const idsOf = ({ name, contractId, inForce }: Standing) => ({
  name,
  contractId,
  ...defined({ version: inForce?.version }),
})

/** Where what is agreed goes on from the document without breaking anybody, the document is only behind. */
function compared({ content }: Item, contract: Standing): DriftRow {
  const agreed = contract.inForce?.content ?? contract.content
  const { verdict, all, missing } = reviewOf(contract.type, agreed, content)
  const row = idsOf(contract)
  if (all.length === 0) return { ...row, drift: 'same', say: [] }
  const say = toldOf(all)
  if (verdict === 'compatible') return { ...row, drift: 'ahead', say }
  const back = reviewOf(contract.type, content, agreed)
  if (back.verdict === 'compatible')
    return { ...row, drift: 'behind', say: toldOf(back.all).map((one) => `agreed meanwhile: ${one}`) }
  return { ...row, drift: verdict, say: verdict === 'unknown' ? [...say, ...missing] : say }
}

const toldOf = (changes: Review['all']): string[] => changes.slice(0, MOST_TOLD).map(placed)

/** Changes of one contract that are told. */
const MOST_TOLD = 5
