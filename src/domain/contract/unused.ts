import { readInterface } from '../interface/review.ts'
import { placesOf } from '../interface/uses/places.ts'
import { usedPlaces } from '../interface/uses/used.ts'
import { overlapsPlain, plainPlace } from '../interface/uses/within.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity } from '../views/entities.ts'
import { consumersOf } from './side.ts'

const MOST = 200
/** Nobody can leave out a part of the path. */
const IN_PATH = /(?:^|: )path\.\d+/

/** The innermost places of a contract that no consumer says that it uses, and which consumers said anything. */
export function unusedOf(found: ProjectView, contract: ContractEntity) {
  const revision = contract.in_force?.revision ?? contract.head
  const consumers = consumersOf(found, contract, revision).map(({ repo: { name }, expectation }) => ({
    name,
    uses: expectation?.uses ?? null,
  }))
  const said = consumers.filter(({ uses }) => uses !== null)
  const names = (some: typeof consumers) => some.map(({ name }) => name).sort()
  const read = readInterface(contract.type, revision.content)
  const { list, isCut } = placesOf(read)
  const used = said.flatMap(({ uses }) => usedPlaces(uses, read, read).uses ?? [''])
  const unused = list
    .filter(({ at, isLeaf }) => isLeaf && at !== '' && !IN_PATH.test(at))
    .map(({ at }) => at)
    .filter((at) => !used.some((use) => use === '' || overlapsPlain(plainPlace(at), use)))
  return {
    version: revision.version,
    unused: said.length === 0 ? [] : unused.slice(0, MOST),
    heard: names(said),
    silent: names(consumers.filter(({ uses }) => uses === null)),
    ...(isCut || unused.length > MOST ? { truncated: true } : {}),
  }
}
