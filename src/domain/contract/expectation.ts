import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Interface } from '../interface/model.ts'
import { readInterface } from '../interface/review.ts'
import { isPlace, placesNear } from '../interface/uses/find-place.ts'
import { overlaps } from '../interface/uses/within.ts'
import { didYouMean } from '../names/only-one.ts'
import type { ContractEntity, ExpectationEntity } from '../views/entities.ts'

type Expected = Pick<ExpectationEntity, 'side' | 'uses' | 'tolerates' | 'sites'>

/** What a repo says; what it leaves out stays as it was. */
type Said = { readonly [Field in keyof Expected]?: Expected[Field] | undefined }

const NOTHING_SAID: Expected = { side: null, uses: null, tolerates: [], sites: {} }

/** What the repo expects after this. A place that has a site is used; a site of what is not used any more goes. */
export function expectedAfter(before: Expected = NOTHING_SAID, said: Said): Expected {
  const { side = before.side, tolerates = before.tolerates } = said
  const named = said.uses === undefined ? before.uses : said.uses
  const sitesNamed = Object.keys(said.sites ?? {})
  const uses = named === null ? null : [...new Set([...named, ...sitesNamed])]
  const sites = Object.entries({ ...before.sites, ...said.sites }).filter(
    ([use]) => uses === null || uses.some((one) => overlaps(one, use)),
  )
  return { side, uses, tolerates: [...new Set(tolerates)], sites: Object.fromEntries(sites) }
}

/**
 * Refuses more than other daemons take in one statement. What a call says is added to what was said before, and places
 * with a site to those that are used, so that there can be more than the call has.
 */
export function assertFew({ contract_id }: ContractEntity, { uses, sites }: Expected): void {
  const counts = { uses: uses?.length ?? 0, sites: Object.keys(sites).length }
  for (const [field, count] of Object.entries(counts))
    if (count > LIMITS.listItems)
      throw new Fault(
        'too_large',
        `${field}: would be ${count} places, at most ${LIMITS.listItems} are taken`,
        {
          next: 'Name a place around several of them, such as response.200.body; sites of what uses leaves out are dropped',
          data: { field, contractId: contract_id },
        },
      )
}

/**
 * Refuses a place that neither the newest version nor the one in force has: whoever mistypes what it uses would be told
 * that nothing hurts it.
 */
export function assertPlaces(contract: ContractEntity, { uses, sites = {} }: Said): void {
  const named = [
    ...(uses ?? []).map((use, index) => ({ use, field: `uses.${index}` })),
    ...Object.keys(sites).map((use) => ({ use, field: 'sites' })),
  ]
  if (named.length === 0) return
  const sides = [contract.head, ...(contract.in_force === undefined ? [] : [contract.in_force.revision])]
    .filter(({ content }) => content !== null)
    .map(({ content }) => readInterface(contract.type, content))
  const { contract_id: contractId, name } = contract
  assertKnown(named, sides, { name: `contract ${name}`, data: { contractId } })
}

/** The same of two contents that are of no contract. */
export function assertUses(uses: readonly string[], sides: readonly Interface[]): void {
  const named = uses.map((use, index) => ({ use, field: `uses.${index}` }))
  if (named.length > 0) assertKnown(named, sides, { name: 'what is compared', data: {} })
}

interface Named {
  readonly use: string
  readonly field: string
}

/** What the places are looked for in. */
interface Whose {
  readonly name: string
  readonly data: JsonObject
}

function assertKnown(named: readonly Named[], sides: readonly Interface[], { name, data }: Whose): void {
  if (sides.every(({ form }) => form === 'opaque')) {
    const [{ why = 'its content was taken away' } = {}] = sides
    throw new Fault('conflict', `uses: no place in ${name} can be named: ${why}`, {
      next: 'Leave uses and sites out: a repo that names no place counts as using all of it',
      data: { field: 'uses', ...data },
    })
  }
  for (const { use, field } of named) {
    if (sides.some((read) => isPlace(use, read))) continue
    const { meant, near } = placesNear(use, sides)
    throw new Fault('not_found', `${field}: ${name} has no place ${use}`, {
      next: `${didYouMean(meant)}Near it there ${near.length === 1 ? 'is' : 'are'} ${near.join(', ') || 'none'}`,
      data: { field, ...data, places: near },
    })
  }
}
